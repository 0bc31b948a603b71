package reccat

import (
	"errors"

	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// errEnough ends a run that has read what it wanted.
var errEnough = errors.New("enough")

// head copies the first n records, or all of them.
func head(e *tool.Env, rd *record.Reader, sink *sink, n int64) error {
	if n == 0 {
		return nil
	}
	err := tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := sink.Keep(rec); err != nil {
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

func count(e *tool.Env, rd *record.Reader, head int64) (n int64, err error) {
	err = tool.EachRecord(e, rd, func(*record.Record) error {
		if n++; n == head {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return n, err
}
