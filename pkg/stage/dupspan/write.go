package dupspan

import (
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/rule"
	"doppel/pkg/passage"
	"doppel/pkg/passage/span"
	"doppel/pkg/tool"
)

// A writer writes decisions.
type writer struct {
	e       *tool.Env
	data    *data
	format  line.Format
	scheme  passage.Scheme
	options *Options
	id, to  []byte // ids of the dropped part and of its kept copy
	reason  []byte
	out     []byte
}

// verdict writes the decision to drop a part of a record, with the id of its kept copy, or to drop
// a whole record because too little of its text would be left.
func (w *writer) verdict(v verdict) error {
	if v.whole {
		w.reason = rule.Left.AppendBelow(w.reason[:0], w.options.MinLeft.String())
		w.id = w.data.appendID(w.id[:0], v.record)
		return w.write(line.Decision{Verdict: line.Drop, ID: w.id, Score: cell.Float(float64(v.left)), Rule: w.reason})
	}
	w.id = w.part(w.id[:0], v.record, v.Start, v.End)
	d := line.Decision{Verdict: line.Drop, ID: w.id}
	if v.From == span.None {
		d.Rule = rule.Bridge.AppendLeast(w.reason[:0], w.options.Bridge)
		return w.write(d)
	}
	unit := rule.Passage
	if w.scheme.Unit == passage.Words {
		unit = rule.Words
	}
	w.reason = unit.AppendLeast(w.reason[:0], float64(w.scheme.Length))
	d.Score, d.Rule = cell.Float(1), w.reason
	if w.options.Counts {
		d.Copies = int64(v.Copies)
	}
	if w.options.namesKept() {
		w.to = w.part(w.to[:0], v.From, v.At, v.To)
		d.Kept = w.to
	}
	return w.write(d)
}

// namesKept reports whether decisions name the kept copy.
func (o *Options) namesKept() bool { return o.Keep == "first" }

func (w *writer) part(dst []byte, record, start, end int) []byte {
	w.out = w.data.appendID(w.out[:0], record)
	return ids.AppendPart(dst, w.out, start, end)
}

func (w *writer) write(d line.Decision) error {
	w.out = d.Append(w.out[:0], w.format)
	_, err := w.e.Out.Write(w.out)
	return err
}
