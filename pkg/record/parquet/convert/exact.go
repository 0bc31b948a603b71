package convert

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// Whole numbers are written as 64-bit integers, and all others as doubles. What
// neither holds is refused: an id that lost its last digits would be another one. Of
// fractions a double is what every reader of JSON makes.

// learnNumber refuses a number that the column would not hold, as it is so far.
func (s *shape) learnNumber(v json.Number, path []string) error {
	f, err := v.Float64()
	if err != nil {
		return fmt.Errorf("field %q: %.40s is too large for Parquet", strings.Join(path, "."), v)
	}
	if s.wide == "" && isWhole(v) && !exact(v, f) {
		s.wide = v
	}
	if s.kind == number && s.wide != "" {
		return fmt.Errorf("field %q: %.40s would lose digits: its values are not all whole numbers of 64 bits, so they become doubles", strings.Join(path, "."), s.wide)
	}
	return nil
}

// isWhole reports whether a number is written in digits alone.
func isWhole(v json.Number) bool { return !strings.ContainsAny(string(v), ".eE") }

// exact reports whether a double is the whole number that it was made of.
func exact(v json.Number, f float64) bool {
	if -1<<53 < f && f < 1<<53 {
		return true
	}
	want, ok := new(big.Int).SetString(string(v), 10)
	got, _ := big.NewFloat(f).Int(nil)
	return ok && got.Cmp(want) == 0
}
