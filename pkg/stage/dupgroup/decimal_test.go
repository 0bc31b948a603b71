package dupgroup

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/record"
)

func placeOf(text string) sortKey {
	return ranking{field: "n"}.place(&record.Record{Text: []byte(text)})
}

// drawDecimal returns a random decimal number. Many of the numbers that it returns are nearly
// equal.
func drawDecimal(r *rand.Rand) string {
	s := []string{"", "-", "+"}[r.IntN(3)]
	switch r.IntN(4) {
	case 0:
		s += fmt.Sprint(1<<60 + r.IntN(5))
	case 1:
		s += fmt.Sprintf("0.1%s%d", strings.Repeat("0", r.IntN(20)), r.IntN(3))
	case 2:
		s += fmt.Sprintf("%0*d.%d00", r.IntN(4), r.IntN(3), r.IntN(3))
	default:
		s += fmt.Sprintf("%d.%d", 1+r.IntN(2), r.IntN(4))
	}
	if r.IntN(3) == 0 {
		s += fmt.Sprintf("e%d", []int{0, 1, -1, 17, 300, 330, -330, 999, -999}[r.IntN(9)])
	}
	return s
}

// Decimal numbers are compared exactly, even if they round to the same float64.
func TestCompareDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := drawDecimal(r), drawDecimal(r)
		x, okX := new(big.Rat).SetString(a)
		y, okY := new(big.Rat).SetString(b)
		if !okX || !okY {
			t.Fatal(a, b)
		}
		p, q := placeOf(a), placeOf(b)
		if got := ascending(&p, &q); got != x.Cmp(y) {
			t.Fatalf("%s, %s: %d, want %d", a, b, got, x.Cmp(y))
		}
	}
}

// Values of all kinds have a total order: not only numbers, but also words, NaN, infinity and
// numbers out of the range of float64. NaN comes last. Sorting yields this order, whatever the order of the input.
func TestRankOrder(t *testing.T) {
	want := []string{
		"-inf", "-1e9999999999999999998", "-1e999", "-9007199254740993", "-9007199254740992", "-1e-999", "0", "1e-9999999999999999999",
		"1e-999", "a", "b", "0x1p-2", "0.5", "5", "1152921504606846976", "1152921504606846977", "1152921504606846977.0000000001",
		"1e999", "1e9999999999999999999", "Infinity", "nan",
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		got := slices.Clone(want)
		r.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		slices.SortFunc(got, func(a, b string) int {
			p, q := placeOf(a), placeOf(b)
			return cmp.Or(ascending(&p, &q), strings.Compare(a, b))
		})
		if !slices.Equal(got, want) {
			t.Fatalf("%q", got)
		}
	}
	for _, same := range [][2]string{{"5", "5.0000000000000000000"}, {"1e2", "100"}, {"-0", "0e999"}, {"0.25", "0x1p-2"}, {"1e309", "10e308"}} {
		p, q := placeOf(same[0]), placeOf(same[1])
		if c := ascending(&p, &q); c != 0 {
			t.Errorf("%v: %d", same, c)
		}
	}
}
