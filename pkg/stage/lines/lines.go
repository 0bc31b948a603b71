// Package lines reads the lines that one stage writes and the next one reads, as
// columns or as objects, with the policy of -k for those that are bad.
package lines

import (
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// Format returns how the run writes lines.
func Format(e *tool.Env) line.Format { return line.Format{JSON: e.JSON, Null: e.Null} }

// Open returns a reader of the lines of the named files, or of standard input.
func Open(e *tool.Env, names []string) (*record.Reader, error) {
	return record.NewReader(e.Input(names), record.Options{Lines: true, Null: e.Null})
}

// Bad is how an error of a line is treated: with its place it ends the run, or
// it is reported under -k.
func Bad(e *tool.Env, rec *record.Record, err error) error {
	return e.Skip(&record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: err})
}

// Each hands lines to parse one at a time, in the order of the input. An error of
// parse is one of the line.
func Each(e *tool.Env, names []string, parse func(text []byte) error) error {
	rd, err := Open(e, names)
	if err != nil {
		return err
	}
	return tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := parse(rec.Raw); err != nil {
			return Bad(e, rec, err)
		}
		return nil
	})
}
