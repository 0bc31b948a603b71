package keepdrop

import (
	"strconv"

	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A keeper decides which records are kept, tells the audit of the others, and
// counts both.
type keeper struct {
	e             *tool.Env
	list          *list
	audit         *audit
	sink          *record.Sink
	ordinal       []byte // of a record, as the list has it
	places        *sites // nil: ids cannot repeat
	kept, dropped int64
	cut           int64 // of the kept, those of which parts are cut
}

// counts returns what was counted.
func (k *keeper) counts() tool.Counts {
	return tool.Counts{Kept: k.kept, Dropped: k.dropped, Cut: k.cut, Unread: k.e.Unread()}
}

// read passes the records that are kept to the sink.
func (k *keeper) read(e *tool.Env, o *Options, rd *record.Reader) error {
	if o.Annotate {
		return tool.EachRecord(e, rd, newAnnotating(k).record)
	}
	if !o.Cut {
		return tool.KeepRecords(e, rd, k.sink, k.record)
	}
	c, err := newCutting(k, e.Records)
	if err != nil {
		return err
	}
	return tool.EachRecord(e, rd, c.record)
}

// key returns the id by which the list may name a record.
func (k *keeper) key(rec *record.Record) []byte {
	if k.list.ordinals {
		k.ordinal = strconv.AppendInt(k.ordinal[:0], rec.Ordinal, 10)
		return k.ordinal
	}
	return rec.ID
}

// record decides one record.
func (k *keeper) record(rec *record.Record) (keep bool, err error) {
	n, listed, drop := uint32(0), false, k.list.inverse
	if !k.list.lacks(rec.Ordinal) {
		n, listed, drop = k.list.find(k.key(rec))
	}
	if listed {
		if err := k.places.note(n, rec); err != nil {
			k.dropped++
			return false, k.e.Skip(err)
		}
	}
	if drop {
		k.dropped++
	} else {
		k.kept++
	}
	if k.audit != nil {
		err = k.audit.note(rec.ID, rec.Text, n, listed, drop)
	}
	return !drop, err
}

// finish writes what is still to be written, if the list was of this dataset.
func (k *keeper) finish(e *tool.Env, o *Options) error {
	if err := k.unmet(o); err != nil {
		return err
	}
	if err := k.sink.Close(); err != nil {
		return err
	}
	return k.audit.close()
}

// unmet returns an error if ids of the list were not met that must be.
func (k *keeper) unmet(o *Options) error {
	if o.Partial {
		return nil
	}
	return k.e.Skip(k.list.unmet())
}
