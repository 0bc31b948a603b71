package main

import (
	"fmt"
	"os"

	"doppel/pkg/record"
)

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

// writeStats writes the counts, which add up: what was read was kept or dropped.
func (k *keeper) writeStats(name string) error {
	if name == "" {
		return nil
	}
	text := fmt.Sprintf(`{"records":%d,"kept":%d,"dropped":%d}`+"\n", k.kept+k.dropped, k.kept, k.dropped)
	return os.WriteFile(name, []byte(text), 0o666)
}
