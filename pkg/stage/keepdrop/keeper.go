package keepdrop

import "doppel/pkg/record"

// A keeper decides which records are kept, tells the audit of the others, and
// counts both.
type keeper struct {
	list          *list
	audit         *audit
	kept, dropped int64
}

func (k *keeper) record(rec *record.Record) (keep bool, err error) {
	n, listed, drop := k.list.find(rec.ID)
	if listed || drop {
		if err := k.audit.note(rec, n, listed, drop); err != nil {
			return false, err
		}
	}
	if drop {
		k.dropped++
	} else {
		k.kept++
	}
	return !drop, nil
}
