package recsign

import (
	"doppel/pkg/files/filename"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// reader reads the records of the operands.
func (o *Options) reader(e *tool.Env, operands []string) (*record.Reader, error) {
	in := e.Input(operands)
	if o.Files {
		in = fileInput(e, operands)
	}
	if o.Whole {
		e.Records.Fields = nil
	}
	return record.NewReader(in, e.Records)
}

// fileInput makes each file a record, named by operands or on standard input.
func fileInput(e *tool.Env, operands []string) record.Input {
	e.Records.Names, e.Records.Null = true, e.Null
	e.Records.SkipDirs = len(operands) == 0
	in := e.Input(nil)
	if len(operands) > 0 {
		names := filename.List(operands)
		in.Files = &names
	}
	return in
}
