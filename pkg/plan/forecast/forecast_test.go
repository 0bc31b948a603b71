package forecast

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPairs checks that the mean of the estimates over all samples is the number of pairs in the
// dataset: 6 files of 10 records, with pairs in one file and in two, of which 3 files and a share of
// the records are drawn.
func TestPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const files, records, chosen, drawn, runs = 6, 10, 3, 5, 20000
	pairs := [][2]int{{0, 1}, {10, 19}, {20, 21}, {21, 22}, {0, 30}, {1, 31}, {40, 59}, {41, 50}}
	sum := 0.0
	for range runs {
		in := map[int]bool{}
		for _, f := range random.Perm(files)[:chosen] {
			for _, r := range random.Perm(records)[:drawn] {
				in[f*records+r] = true
			}
		}
		within, across := 0.0, 0.0
		for _, p := range pairs {
			switch {
			case !in[p[0]] || !in[p[1]]:
			case p[0]/records == p[1]/records:
				within++
			default:
				across++
			}
		}
		sum += Frame{Files: files, Chosen: chosen, Share: float64(drawn) / records}.Pairs(within, across)
	}
	// Without replacement, two records of a file are drawn with a probability of 5/10 x 4/9, not 1/4.
	want := 4*.5*4/9/.25 + 4
	if got := sum / runs; math.Abs(got-want) > .15 {
		t.Errorf("%.2f pairs, want %.2f", got, want)
	}
	if got := (Frame{Files: 1, Chosen: 1, Share: .5}).Pairs(3, 0); got != 12 {
		t.Errorf("one file: %v pairs, want 12", got)
	}
}

func TestExtrapolate(t *testing.T) {
	c := Cluster{Machines: 2, Cores: 4, Parts: 16}
	for _, tc := range []struct {
		trial Trial
		grown Growth
		want  Step
	}{
		{Trial{"pairs", 4, 1, 3, 100}, Growth{16, 10, 20, 5}, Step{"pairs", 16, 4 + 20, 3, ProcessMemory + 5, 2000}},
		{Trial{"bins", 1, .5, .25, 8}, Growth{1, 10, 10, 0}, Step{"bins", 1, .5, .5, ProcessMemory, 80}},
		{Trial{"keys", 1, 1, 2, 0}, Growth{1, 7, 7, 0}, Step{"keys", 1, 8, 2, ProcessMemory, 0}},
	} {
		if got := Extrapolate(tc.trial, tc.grown, c); got != tc.want {
			t.Errorf("%+v, want %+v", got, tc.want)
		}
	}
}

func TestSum(t *testing.T) {
	got := Sum([]Step{{"a", 1, 2, 1, 5, 10}, {"b", 3, 4, 2, 3, 20}})
	if want := (Total{6, 3, 5, 30}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestParts(t *testing.T) {
	for _, tc := range []struct {
		bytes float64
		c     Cluster
		want  int
	}{
		{1, Cluster{Machines: 1, Cores: 2}, 2}, {5 << 30, Cluster{Machines: 1, Cores: 2}, 3}, {1 << 50, Cluster{Machines: 1, Cores: 2}, 1000},
		{1, Cluster{Machines: 32, Cores: 64}, 1000},
	} {
		if got := Parts(tc.bytes, tc.c); got != tc.want {
			t.Errorf("%v: %d, want %d", tc, got, tc.want)
		}
	}
}
