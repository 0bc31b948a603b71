package keepdrop

import (
	"strconv"

	"doppel/pkg/line/places"
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
	cutter        *record.Cutter   // with --cut
	ordinal       []byte           // of a record, as the list has it
	places        *places.Numbered // of the records that the list names; nil: ids cannot repeat
	kept, dropped int64
	cut           int64 // of the kept, those of which parts are cut
}

// newKeeper returns a keeper that has no sink yet. A list cannot say which of two records
// of one id it means, so there must not be two.
func newKeeper(e *tool.Env, l *list) *keeper {
	k := &keeper{e: e, list: l}
	if !l.ordinals && (e.Records.ID != "" || e.Records.WithFilename) {
		k.places = places.NewNumbered(l.ids.Len())
	}
	return k
}

// read passes the records that are kept to the sink.
func (k *keeper) read(o *Options, rd *record.Reader) (err error) {
	switch {
	case o.Annotate:
		return tool.EachRecord(k.e, rd, newAnnotator(k).record)
	case !o.Cut:
		return tool.KeepRecords(k.e, rd, k.sink, k.record)
	}
	if k.cutter, err = record.NewCutter(k.e.Records); err != nil {
		return tool.UsageError("--cut: %v", err)
	}
	if o.Ordered {
		return tool.EachRecord(k.e, rd, (&orderedCutter{keeper: k, queue: k.list.queue}).record)
	}
	return tool.EachRecord(k.e, rd, newPartCutter(k).record)
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
		if err := k.places.Note(n, rec); err != nil {
			return false, k.skip(err)
		}
	}
	k.count(drop)
	if k.audit != nil {
		err = k.audit.note(rec.ID, rec.Text, n, listed, drop)
	}
	return !drop, err
}

// skip applies -k to the error of a record, which is dropped then.
func (k *keeper) skip(err error) error {
	k.dropped++
	return k.e.Skip(err)
}

// count counts a record.
func (k *keeper) count(dropped bool) {
	if dropped {
		k.dropped++
	} else {
		k.kept++
	}
}

// finish writes what is still to be written, if the list was of this dataset.
func (k *keeper) finish(o *Options) error {
	if !o.Partial {
		if err := k.e.Skip(k.list.unmet()); err != nil {
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
	return k.e.WriteStats(o.Stats, tool.Counts{Kept: k.kept, Dropped: k.dropped, Cut: k.cut, Unread: k.e.Unread()})
}
