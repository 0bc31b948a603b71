package simhash

import (
	"math"
	"math/rand/v2"
	"testing"
)

// measured returns the share of planted pairs at distance d that Rotation found.
func measured(rnd *rand.Rand, n, width, window, d int) float64 {
	hashes := make([]Hash, n)
	planted := n / 10
	for i := range hashes {
		hashes[i] = fit(Hash{rnd.Uint64(), rnd.Uint64()}, width)
	}
	for i := range planted {
		h := hashes[2*i]
		for _, bit := range rnd.Perm(width)[:d] {
			h = flipBit(h, bit)
		}
		hashes[2*i+1] = h
	}
	met := 0
	Search{Width: width, Max: d}.Rotation(hashes, window, func(p Pair) error {
		if p.A%2 == 0 && p.B == p.A+1 && int(p.A) < 2*planted {
			met++
		}
		return nil
	})
	return float64(met) / float64(planted)
}

func TestExpected(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	last := 2.0
	for _, c := range []struct{ width, window, d int }{{64, 2, 0}, {64, 2, 3}, {64, 2, 5}, {64, 8, 8}, {64, 2, 8}, {64, 2, 12}, {128, 2, 12}, {128, 2, 30}} {
		got, want := Expected(20_000, c.width, c.window, c.d), measured(rnd, 20_000, c.width, c.window, c.d)
		if math.Abs(got-want) > 0.035 {
			t.Errorf("%+v: expected %.3f, measured %.3f", c, got, want)
		}
		if c.width == 64 && c.window == 2 {
			if got > last {
				t.Errorf("%+v: %.3f, more than at a smaller distance", c, got)
			}
			last = got
		}
		t.Logf("%+v: expected %.3f, measured %.3f", c, got, want)
	}
}
