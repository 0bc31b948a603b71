package main

import "doppel/pkg/record"

// A keeper passes the records that are kept to the sink and the others to the
// audit, and counts both.
type keeper struct {
	list          *list
	audit         *audit
	sink          *record.Sink
	kept, dropped int64
}

func (k *keeper) record(rec *record.Record) error {
	n, listed, drop := k.list.find(rec.ID)
	if listed || drop {
		if err := k.audit.note(rec, n, listed, drop); err != nil {
			return err
		}
	}
	if drop {
		k.dropped++
		return nil
	}
	k.kept++
	return k.sink.Keep(rec)
}
