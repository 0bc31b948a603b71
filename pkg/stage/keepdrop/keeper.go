package keepdrop

import (
	"cmp"
	"errors"
	"strconv"

	"doppel/pkg/line/dupid"
	"doppel/pkg/record"
	"doppel/pkg/record/write"
	"doppel/pkg/tool"
)

// A keeper decides which records are kept, and adds the dropped records to the audit. It counts the
// kept and the dropped records.
type keeper struct {
	e             *tool.Env
	list          *list
	audit         *audit
	sink          *write.Sink
	ordinal       []byte           // buffer for the current record's ordinal, in decimal
	places        *dupid.Numbered  // positions of the listed records; nil if ids cannot repeat
	sizes         map[uint32]int64 // cluster sizes, by the id number of the kept record; nil if not needed
	kept, dropped int64
	cut           int64 // number of kept records from which parts were cut
}

// newKeeper returns a keeper without a sink. The keeper rejects two records with the same listed
// id, because it is unclear which of them the list names.
func newKeeper(e *tool.Env, l *list) *keeper {
	k := &keeper{e: e, list: l}
	if !l.ordinals && (e.Records.ID != "" || e.Records.WithFilename) {
		k.places = dupid.NewNumbered(l.ids.Len())
	}
	return k
}

// listID returns the id of a record in the form that the list uses: its ordinal or its id.
func (k *keeper) listID(rec *record.Record) []byte {
	if k.list.ordinals {
		k.ordinal = strconv.AppendInt(k.ordinal[:0], rec.Ordinal, 10)
		return k.ordinal
	}
	return rec.ID
}

// lookUp looks a record up in the list. If listed is true, the list contains the record's id, as
// number n. lookUp returns an error if an earlier record has the same listed id.
func (k *keeper) lookUp(rec *record.Record) (n uint32, listed, drop bool, err error) {
	if k.list.lacks(rec.Ordinal) {
		return 0, false, k.list.inverse, nil
	}
	if n, listed, drop = k.list.lookUp(k.listID(rec)); listed {
		err = k.places.Note(n, rec)
	}
	return n, listed, drop, err
}

func (k *keeper) record(rec *record.Record) (keep bool, err error) {
	n, listed, drop, err := k.lookUp(rec)
	if err != nil {
		return false, k.skip(err)
	}
	k.count(drop)
	return !drop, k.audit.addIfNeeded(rec.ID, rec.Text, n, listed, drop)
}

// keepSized writes a record together with the size of its cluster, or drops it.
func (k *keeper) keepSized(rec *record.Record) error {
	n, listed, drop, err := k.lookUp(rec)
	if err == nil && !drop {
		size := int64(1)
		if listed {
			size = max(1, k.sizes[n])
		}
		err = k.sink.KeepSized(rec, size)
	}
	if errors.As(err, new(*record.SyntaxError)) {
		return k.skip(err)
	}
	k.count(drop)
	return cmp.Or(err, k.audit.addIfNeeded(rec.ID, rec.Text, n, listed, drop))
}

// skip counts a record with an error as dropped. It returns the error unless -k is given.
func (k *keeper) skip(err error) error {
	k.dropped++
	return k.e.Skip(err)
}

func (k *keeper) count(dropped bool) {
	if dropped {
		k.dropped++
	} else {
		k.kept++
	}
}

// noteMissing adds a record that --missing drop drops to the audit.
func (k *keeper) noteMissing(rec *record.Record) error {
	return k.audit.addEntry(rec.ID, nil, 0, removed|absent)
}

// noteOld adds an old record to the audit if another record is dropped in favour of it.
func (k *keeper) noteOld(rec *record.Record) error {
	n, listed := k.list.ids.Lookup(rec.ID)
	return k.audit.addIfNeeded(rec.ID, rec.Text, n, listed, false)
}

// finish completes the outputs. Unless --partial is given, it first returns an error if the list
// has ids that were not in the input.
func (k *keeper) finish(o *Options, unread, missing int64) error {
	if !o.Partial {
		if err := k.e.Skip(k.list.checkFound()); err != nil {
			return err
		}
	}
	if k.sink != nil {
		if err := k.sink.Close(); err != nil {
			return err
		}
	}
	if err := k.audit.close(); err != nil {
		return err
	}
	return k.e.WriteStats(o.Stats, tool.Counts{Kept: k.kept, Dropped: k.dropped, Cut: k.cut, Missing: missing, Unread: unread})
}
