package reccat

import (
	"errors"

	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// errEnough ends a run that has read what it wanted.
var errEnough = errors.New("enough")

// Head calls fn with the first n records, or with all of them.
func Head(e *tool.Env, rd *record.Reader, n int64, fn func(*record.Record) error) error {
	if n == 0 {
		return nil
	}
	err := tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := fn(rec); err != nil {
			return err
		}
		if n--; n == 0 {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		return nil
	}
	return err
}
