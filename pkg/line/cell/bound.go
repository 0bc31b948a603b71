package cell

import (
	"bytes"
	"strconv"
)

// A Bound is a comparison of a measured value with a limit, such as score>=0.8 or length<50. The
// reason for a decision can start with a Bound.
type Bound struct {
	Name  string // name of the measured value
	Op    string // one of < <= > >=
	Limit float64
}

// Append appends the bound to dst in the form used in a reason.
func (b Bound) Append(dst []byte) []byte {
	return strconv.AppendFloat(append(append(dst, b.Name...), b.Op...), b.Limit, 'g', -1, 64)
}

// ParseBound parses the bound at the start of a reason and ignores the text after a comma. If the
// reason does not start with a bound, ok is false.
func ParseBound(reason []byte) (b Bound, ok bool) {
	reason, _, _ = bytes.Cut(reason, []byte{','})
	at := bytes.IndexAny(reason, "<>")
	if at <= 0 {
		return b, false
	}
	end := at + 1
	if bytes.HasPrefix(reason[end:], []byte{'='}) {
		end++
	}
	limit, err := strconv.ParseFloat(string(reason[end:]), 64)
	return Bound{string(reason[:at]), string(reason[at:end]), limit}, err == nil
}
