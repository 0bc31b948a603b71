package dupgroup

import (
	"cmp"
	"math"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/rule"
	"doppel/pkg/record/bitset"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// The values of Options.Keep.
const (
	Best = "best" // keep the best of several similar records
	None = "none" // keep none of several similar records
)

// A Writer writes decisions in rank order: those on dropped records and on the records kept in their
// favour, which are known only at the end. The writer stores the decisions in a scratch file until
// Close. If the decisions depend on the number of copies of each record, the counts take 4 bytes of
// memory per record.
type Writer struct {
	e          *tool.Env
	names      pairs.Ranks
	format     line.Format
	best, drop []byte // reason given in decisions to drop
	least      bool   // also write the lowest score of any pair in the component
	olds       int    // number of old records; their ranks are below olds, and they get no decision
	seen       uint32 // drop all records of groups of this size or more, and no others; 0 for no such limit
	counts     bool   // add the number of copies to the reasons
	none       bool   // no record of a group is kept

	waiting  spill.Spool[[3]uint64] // stored decisions: the ranks of the record and of the kept record in one word, and the two scores
	favoured bitset.Set             // ranks in whose favour a record is dropped
	copies   []uint32               // by rank: number of records dropped in favour of the record; nil if no decision depends on it

	id, kept, text []byte
}

// NewWriter returns a writer of decisions on records, which gets the ids of the records from names.
func NewWriter(e *tool.Env, o *Options, names pairs.Ranks) *Writer {
	w := &Writer{e: e, names: names, format: lineio.Format(e), best: rule.Best.Append(nil), drop: rule.Duplicate.Append(nil), counts: o.Counts, none: o.Keep == None}
	if o.Cut > 0 {
		w.drop = rule.Score.AppendLeast(nil, o.Cut)
	}
	if o.Seen > 0 {
		w.seen = uint32(o.Seen)
		w.drop = rule.Seen.AppendLeast(nil, float64(o.Seen))
	}
	if w.seen > 0 || w.counts && o.Keep == Best {
		w.copies = make([]uint32, names.IDs.Len())
	}
	return w
}

// Write writes a decision, or stores it until Close.
func (w *Writer) Write(d group.Decision) error {
	if w.none && !d.Drop {
		return nil
	}
	if w.none {
		return w.write(d)
	}
	kept := d.Rank
	if d.Drop {
		kept = d.Kept
		w.favoured.Add(int64(kept))
		if w.copies != nil {
			w.copies[kept]++
		}
	}
	w.waiting.Add([3]uint64{uint64(d.Rank)<<32 | uint64(kept), math.Float64bits(d.Score), math.Float64bits(d.Least)})
	return nil // Close returns any error from Add
}

// Close writes the stored decisions. It must be called after the last Write.
func (w *Writer) Close() error {
	err := w.waiting.Each(func(x [3]uint64) error {
		d := group.Decision{Rank: uint32(x[0] >> 32), Kept: uint32(x[0]), Score: math.Float64frombits(x[1]), Least: math.Float64frombits(x[2])}
		if d.Drop = d.Kept != d.Rank; !d.Drop && !w.favoured.Has(int64(d.Rank)) {
			return nil
		}
		return w.write(d)
	})
	return cmp.Or(err, w.waiting.Close())
}

func (w *Writer) write(d group.Decision) error {
	if int(d.Rank) < w.olds {
		return nil
	}
	w.id = w.names.Append(w.id[:0], d.Rank)
	l := line.Decision{Verdict: line.Keep, ID: w.id, Rule: w.best}
	kept, copies := d.Rank, d.Copies
	if d.Drop {
		kept = d.Kept
	}
	if w.copies != nil {
		copies = int64(w.copies[kept]) + 1
	}
	seen := w.seen > 0 && copies >= int64(w.seen)
	if d.Drop && w.seen == 0 || seen {
		l.Verdict, l.Rule = line.Drop, w.drop
		if d.Drop {
			l.Score = cell.Float(d.Score)
		}
		if w.seen == 0 && d.Kept != group.Nobody {
			w.kept = w.names.Append(w.kept[:0], kept)
			l.Kept = w.kept
		}
		if w.least {
			l.Least = cell.Float(d.Least)
		}
	}
	if w.counts && (l.Verdict == line.Keep || seen || d.Copies > 0) {
		l.Copies = max(1, copies)
	}
	w.text = l.Append(w.text[:0], w.format)
	_, err := w.e.Out.Write(w.text)
	return err
}
