package measure

import "testing"

func TestRoundDown(t *testing.T) {
	for _, tc := range []struct {
		part, of int
		want     float64
	}{{57, 100, .57}, {1, 1, 1}, {0, 7, 0}, {2, 3, .6666}, {999999999, 1000000000, .9999}, {29, 100, .29}} {
		if got := roundDown(float64(tc.part) / float64(tc.of)); got != tc.want {
			t.Errorf("%d of %d: %v, want %v", tc.part, tc.of, got, tc.want)
		}
	}
}
