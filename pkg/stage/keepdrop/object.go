package keepdrop

import (
	"math"
	"strconv"

	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
	"doppel/pkg/spill"
)

// A cause is why a record was removed. Where it was not dropped in favour of
// another, that has neither id nor text, and there is no similarity.
type cause struct {
	named            bool // the favourite has an id
	met              bool // and it is among the records
	id, text         []byte
	score, threshold []byte // JSON numbers, nil for none
	reason           []byte // nil for none
}

// cause returns the cause of an entry; the favourite is read through the window.
func (a *audit) cause(x *entry, w *spill.Window) (c cause, err error) {
	if x.flags&listed == 0 {
		return c, nil
	}
	c.reason, c.score = a.list.why.get(x.number)
	n, ok := a.list.favouriteOf(x.number)
	if !ok {
		return c, nil
	}
	c.threshold = threshold(c.reason)
	place, met := a.places[n]
	if c.met = met; met {
		var kept entry
		_, err = kept.read(w, place)
		c.id, c.text, c.named = kept.id, kept.text, true
	} else if id := a.list.id(n); a.names(id) {
		c.id, c.named = id, true
	}
	return c, err
}

// names reports whether an id of the list names a record that is not in the input:
// where the list is of ordinals only one that is none does.
func (a *audit) names(id []byte) bool {
	owner, _, _, _ := ids.CutPart(id)
	_, bare := ids.Ordinal(owner)
	return !a.list.ordinals || !bare
}

// threshold returns the limit in a reason such as score>=0.8, nil for none.
func threshold(reason []byte) []byte {
	b, ok := cell.ParseBound(reason)
	if !ok || math.IsInf(b.Limit, 0) || math.IsNaN(b.Limit) {
		return nil
	}
	return strconv.AppendFloat(nil, b.Limit, 'g', -1, 64)
}

// object appends the object of an entry.
func (a *audit) object(dst []byte, x *entry, w *spill.Window) ([]byte, error) {
	c, err := a.cause(x, w)
	dst = a.appendID(append(dst, `{"row_id":`...), x.id, true)
	dst = a.appendID(append(dst, `,"duplicate_of_row_id":`...), c.id, c.named)
	dst = appendText(append(dst, `,"field":`...), a.field, len(a.field) > 0)
	dst = appendText(append(dst, `,"value":`...), x.text, true)
	dst = appendText(append(dst, `,"matched_value":`...), c.text, c.met)
	dst = appendNumber(append(dst, `,"similarity":`...), c.score)
	dst = appendNumber(append(dst, `,"threshold":`...), c.threshold)
	dst = appendText(append(dst, `,"reason":`...), c.reason, len(c.reason) > 0)
	return append(dst, "}\n"...), err
}

// appendID appends an id, as a number where ids are ordinals.
func (a *audit) appendID(dst, id []byte, known bool) []byte {
	if n, ok := ids.Ordinal(id); known && ok && a.plainID {
		return strconv.AppendInt(dst, n, 10)
	}
	return appendText(dst, id, known)
}

func appendText(dst, text []byte, known bool) []byte {
	if !known {
		return append(dst, "null"...)
	}
	return cell.AppendJSON(dst, text)
}

func appendNumber(dst, number []byte) []byte {
	if len(number) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, number...)
}
