package cell

import (
	"math"
	"strconv"

	"doppel/pkg/record/jsonstr"
)

// A Number is an optional number in a line. Append writes it with four decimals, but writes a JSON
// number from ParseNumber unchanged. A Number from ParseNumber refers to the text that was parsed,
// so it is valid only until the caller reuses the text. The zero value means that the number is
// absent.
type Number struct {
	value float64
	text  []byte // the argument of ParseNumber if it is a JSON number; otherwise nil
	known bool
}

// Float returns v as a Number; NaN becomes an absent Number.
func Float(v float64) Number { return Number{value: v, known: !math.IsNaN(v)} }

// Float returns the number; ok is false if it is absent.
func (n Number) Float() (v float64, ok bool) { return n.value, n.known }

// Append appends the number to dst, in the form that the documentation of Number describes. It
// appends nothing if the number is absent.
func (n Number) Append(dst []byte) []byte {
	switch {
	case !n.known:
		return dst
	case n.text != nil:
		return append(dst, n.text...)
	}
	return AppendFloat(dst, n.value)
}

// Text returns the argument of ParseNumber if it is a JSON number, and nil otherwise.
func (n Number) Text() []byte { return n.text }

// decimals is the number of digits that AppendFloat writes after the decimal point.
const decimals = 4

// AppendFloat appends v to dst with four decimals.
func AppendFloat(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'f', decimals, 64) }

// ParseNumber parses the number in a column. It accepts what strconv.ParseFloat accepts; NaN
// becomes an absent Number.
func ParseNumber(text []byte) (n Number, ok bool) {
	v, err := strconv.ParseFloat(string(text), 64)
	if n = Float(v); IsNumber(text) {
		n.text = text
	}
	return n, err == nil
}

// ParseDecimal parses the number in a column that must have a value. It accepts only decimal
// numbers, because neither 0x1p0 nor an infinity is a score.
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

// ParseWhole parses the integer in a column. It accepts 12.0, because spreadsheets and data frames
// write integers this way if the column has missing values.
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
