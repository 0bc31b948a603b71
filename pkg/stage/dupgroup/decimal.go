package dupgroup

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
)

// exactDigits is the number of significant decimal digits that a float64 always preserves.
const exactDigits = 15

// mayRound reports whether other decimal numbers may round to the same float64. It returns
// false for hexadecimal numbers, infinity and NaN, which are compared as float64.
func mayRound(number []byte) bool {
	if bytes.ContainsAny(number, "xXiInN") {
		return false
	}
	return len(number) > exactDigits || bytes.ContainsAny(number, "eE")
}

// digits returns the number in decimal notation: as it was read if rounding may have changed it,
// otherwise the shortest decimal number that rounds to p.number.
func (p *sortKey) digits() []byte {
	if p.decimal != nil {
		return p.decimal
	}
	return strconv.AppendFloat(nil, p.number, 'e', -1, 64)
}

// compareDecimals compares decimal numbers of any size. It does not expand exponents, so
// 1e999999999 takes no more memory than 1e9.
func compareDecimals(a, b []byte) int {
	x, y := parseDecimal(a), parseDecimal(b)
	if c := cmp.Compare(x.sign, y.sign); c != 0 {
		return c
	}
	return x.sign * cmp.Or(cmp.Compare(x.exponent, y.exponent), bytes.Compare(x.digits, y.digits))
}

// A decimal is sign × 0.digits × 10^exponent. The digits neither begin nor end with a zero.
type decimal struct {
	sign     int // 1, -1, or 0 for the number 0
	digits   []byte
	exponent int64
}

// parseDecimal parses the syntax of strconv.ParseFloat, except hexadecimal numbers.
func parseDecimal(s []byte) decimal {
	d := decimal{sign: 1}
	if s[0] == '-' {
		d.sign = -1
	}
	s = bytes.TrimLeft(s, "+-")
	if s[0] == 'I' {
		d.exponent = math.MaxInt64
		return d
	}
	if e := bytes.IndexAny(s, "eE"); e >= 0 {
		n, _ := strconv.ParseInt(string(s[e+1:]), 10, 64) // an exponent out of range yields the nearest int64
		d.exponent = max(-1<<62, min(1<<62, n))           // so that the following additions do not overflow
		s = s[:e]
	}
	whole, fraction, _ := bytes.Cut(s, []byte("."))
	d.digits = append(bytes.Clone(whole), fraction...)
	d.exponent += int64(len(whole))
	significant := bytes.TrimLeft(d.digits, "0")
	d.exponent -= int64(len(d.digits) - len(significant))
	if d.digits = bytes.TrimRight(significant, "0"); len(d.digits) == 0 {
		return decimal{}
	}
	return d
}
