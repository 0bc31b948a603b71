package cell

import (
	"math"
	"strconv"

	"doppel/pkg/record/jsonstr"
)

// A Number is an optional number of a line. It is written with four decimals, but a number
// that was read is written unchanged. A number that was read refers to its line and is
// valid as long as the line. The zero value means that the number is absent.
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

// Text returns the number as it was read, or nil.
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

// ParseDecimal parses the number of a column that must have one. It accepts only decimal
// numbers: neither 0x1p0 nor an infinity is a score.
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

// ParseWhole parses the whole number of a column. It accepts 12.0, because table tools
// write whole numbers this way if some are missing.
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

// IsOrdinal reports whether text is a non-negative number of at most 18 digits as
// [strconv.AppendInt] writes it.
func IsOrdinal(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	n := len(text)
	return 0 < n && n <= 18 && (n == 1 || text[0] != '0')
}
