package fingerprint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"doppel/pkg/jaccard"
)

// TestWilson compares intervals, to four decimals, with table I of Newcombe (Two-sided confidence
// intervals for the single proportion, Statistics in Medicine 17, 1998).
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{29, 29, 0.8830, 1},
		{0, 0, 0, 1},
	} {
		e := Wilson(c.k, c.n, Confidence95)
		if math.Abs(e.Low-c.low) > 6e-5 || math.Abs(e.High-c.high) > 6e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.k, c.n, e.Low, e.High, c.low, c.high)
		}
	}
}

// TestCoverage checks that the 95 % interval contains the true containment in about 95 % of the
// trials. The texts are random, except for a page that they share.
func TestCoverage(t *testing.T) {
	s := newSampler(t, Params{Unit: Bytes, Window: 20, Prime: Default.Prime, Criterion: LowBits(5)})
	r := rand.New(rand.NewPCG(1, 1))
	const trials = 1000
	in, bias := 0, 0.0
	for seed := range uint64(trials) {
		page, rest := 20+r.IntN(2000), r.IntN(2000)
		shared := randomText(seed, page)
		a := s.Append(nil, onePart([]byte(shared+randomText(seed+1e6, rest))))
		b := s.Append(nil, onePart([]byte(randomText(seed+2e6, 500)+shared)))
		e := Overlap{len(a), len(b), jaccard.Shared(a, b, 0)}.InA(Confidence95)
		truth := float64(page-19) / float64(page+rest-19)
		if e.Low <= truth && truth <= e.High {
			in++
		}
		bias += (e.Value - truth) / trials
	}
	if in < 930 || in > 970 || math.Abs(bias) > 0.01 {
		t.Errorf("%d of %d intervals hold the truth, the bias is %.4f", in, trials, bias)
	}
}

func TestOverlap(t *testing.T) {
	o := Overlap{A: 10, B: 40, Shared: 5}
	got := []float64{o.InA(2).Value, o.InB(2).Value, o.Resemblance(2).Value}
	if want := []float64{0.5, 0.125, 5.0 / 45}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
