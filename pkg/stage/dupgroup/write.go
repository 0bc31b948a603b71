package dupgroup

import (
	"math"
	"strconv"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// What is kept of records that are alike.
const (
	Best = "best"
	None = "none"
)

// A Writer writes decisions, in rank order. How many copies a record has is known
// at the end only: where that matters the decisions wait in a scratch file, and
// 4 bytes a record are held.
type Writer struct {
	e      *tool.Env
	names  pairs.Ranks
	format line.Format
	drop   string // why a record is dropped
	least  bool   // and the lowest score of any pair in its component
	olds   int    // the first ranks, which are not decided
	none   bool   // nothing is kept that has copies
	counts bool

	waiting spill.Spool[[3]uint64] // rank and what is kept instead, or itself; score; least
	copies  []uint32               // by rank, without itself; nil: nothing waits

	id, kept, reason, text []byte
}

// NewWriter returns a writer of decisions on the records of these ranks.
func NewWriter(e *tool.Env, o *Options, names pairs.Ranks) *Writer {
	w := &Writer{e: e, names: names, format: lines.Format(e), drop: "duplicate", none: o.Keep == None, counts: o.Counts}
	if o.Cut > 0 {
		w.drop = "score>=" + strconv.FormatFloat(o.Cut, 'g', -1, 64)
	}
	if w.none || w.counts {
		w.copies = make([]uint32, names.IDs.Len())
	}
	return w
}

// Write writes a decision, or lets it wait.
func (w *Writer) Write(d group.Decision) error {
	if w.copies == nil {
		return w.write(d)
	}
	kept := d.Rank
	if d.Drop {
		kept = d.Kept
		w.copies[kept]++
	}
	w.waiting.Add([3]uint64{uint64(d.Rank)<<32 | uint64(kept), math.Float64bits(d.Score), math.Float64bits(d.Least)})
	return nil // a failed write shows up when it is read
}

// Close writes the decisions that wait.
func (w *Writer) Close() error {
	err := w.waiting.Each(func(x [3]uint64) error {
		d := group.Decision{Rank: uint32(x[0] >> 32), Kept: uint32(x[0]), Score: math.Float64frombits(x[1]), Least: math.Float64frombits(x[2])}
		d.Drop = d.Kept != d.Rank
		return w.write(d)
	})
	if cerr := w.waiting.Close(); err == nil {
		err = cerr
	}
	return err
}

// write writes a decision.
func (w *Writer) write(d group.Decision) error {
	if int(d.Rank) < w.olds {
		return nil
	}
	w.text = w.line(d).Append(w.text[:0], w.format)
	_, err := w.e.Out.Write(w.text)
	return err
}

// line returns the line of a decision. Where nothing is kept a drop names no other
// record.
func (w *Writer) line(d group.Decision) line.Decision {
	w.id = w.names.Append(w.id[:0], d.Rank)
	w.reason = w.because(w.reason[:0], d)
	l := line.Decision{Verdict: line.Keep, ID: w.id, Reason: w.reason}
	switch {
	case d.Drop:
		w.kept = w.names.Append(w.kept[:0], d.Kept)
		l.Verdict, l.Kept, l.Score = line.Drop, w.kept, cell.Float(d.Score)
		if w.none && int(d.Kept) >= w.olds {
			l.Kept = nil
		}
	case w.none && w.copies[d.Rank] > 0:
		l.Verdict = line.Drop
	}
	return l
}

// because appends the reason of a decision.
func (w *Writer) because(dst []byte, d group.Decision) []byte {
	best, rank := !d.Drop, d.Rank
	if d.Drop {
		rank = d.Kept
	}
	if best && !(w.none && w.copies[rank] > 0) {
		dst = append(dst, Best...)
	} else {
		dst = append(dst, w.drop...)
	}
	if w.least && d.Drop {
		dst = strconv.AppendFloat(append(dst, ",least="...), d.Least, 'f', 4, 64)
	}
	if w.counts && (best || w.none) {
		dst = strconv.AppendUint(append(dst, ",copies="...), uint64(w.copies[rank])+1, 10)
	}
	return dst
}
