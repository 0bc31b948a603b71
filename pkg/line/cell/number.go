package cell

import (
	"math"
	"strconv"

	"doppel/pkg/record/jsonstr"
)

// A Number is an optional number in a line. Append writes it with four decimals, but writes a
// number from ParseNumber unchanged. A number from ParseNumber refers to its text, so it is valid
// only until the caller reuses the text. The zero value means that the number is absent.
type Number struct {
	value float64
	text  []byte // the number as read from a line; nil if it was not read
	known bool
}

// Float returns v as a Number; NaN becomes an absent Number.
func Float(v float64) Number { return Number{value: v, known: !math.IsNaN(v)} }

// Float returns the number; ok is false if it is absent.
func (n Number) Float() (v float64, ok bool) { return n.value, n.known }

// Append appends the number in its written form, or nothing if it is absent.
func (n Number) Append(dst []byte) []byte {
	switch {
	case !n.known:
		return dst
	case n.text != nil:
		return append(dst, n.text...)
	}
	return AppendFloat(dst, n.value)
}

// Text returns the number as ParseNumber read it, or nil.
func (n Number) Text() []byte { return n.text }

// decimals is the number of decimals of a written number.
const decimals = 4

// AppendFloat appends v with the number of decimals used in lines.
func AppendFloat(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'f', decimals, 64) }

// ParseNumber parses the number of a column.
func ParseNumber(text []byte) (n Number, ok bool) {
	v, err := strconv.ParseFloat(string(text), 64)
	if n = Float(v); IsNumber(text) {
		n.text = text
	}
	return n, err == nil
}

// ParseDecimal parses the number of a column in which no value may be missing. It accepts only
// decimal numbers, because neither 0x1p0 nor an infinity is a score.
func ParseDecimal(text []byte) (v float64, ok bool) {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// IsNumber reports whether text is a JSON number.
func IsNumber(text []byte) bool {
	end, ok := jsonstr.SkipNumber(text, 0)
	return ok && end == len(text)
}

// ParseWhole parses the integer of a column. It accepts 12.0, because programs for tables write
// integers this way if some values of the column are missing.
func ParseWhole(text []byte) (n int64, ok bool) {
	if IsOrdinal(text) {
		for _, c := range text {
			n = n*10 + int64(c-'0')
		}
		return n, true
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53
	v, err := strconv.ParseFloat(string(text), 64)
	return int64(v), err == nil && v == math.Trunc(v) && math.Abs(v) <= exact
}

// IsOrdinal reports whether text is a non-negative integer of at most 18 digits without leading
// zeros.
func IsOrdinal(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	n := len(text)
	return 0 < n && n <= 18 && (n == 1 || text[0] != '0')
}
