package keepdrop

import (
	"strconv"

	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// checkAhead refuses a list of ordinals that the records do not reach, before any of
// them is written: who reads a stream cannot take back what came before an error at
// its end. It reads the records once more, to count them.
func (o *Options) checkAhead(e *tool.Env, l *list, operands []string) error {
	if !o.Ahead || o.Cut || o.Partial || e.KeepGoing || !o.byOrdinal() {
		return nil
	}
	records, err := counted(e, operands)
	if err != nil {
		return err
	}
	missing, example := 0, int64(0)
	l.eachOrdinal(func(n int64) {
		if n >= records {
			missing, example = missing+1, n
		}
	})
	if missing == 0 {
		return nil
	}
	return errForeign(missing, strconv.AppendInt(nil, example, 10))
}

// counted returns how many records there are.
func counted(e *tool.Env, operands []string) (n int64, err error) {
	opt, in := e.Records, e.Input(operands)
	opt.Fields, opt.ID, opt.NoText, opt.WithFilename, in.Meter = nil, "", true, false, nil
	rd, err := record.NewReader(in, opt)
	if err != nil {
		return 0, err
	}
	err = tool.EachRecord(e, rd, func(*record.Record) error { n++; return nil })
	return n, err
}
