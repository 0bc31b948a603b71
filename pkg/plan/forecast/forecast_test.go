package forecast

import (
	"math"
	"testing"
)

// A dataset in round numbers: a million records of 1000 bytes in 10 files.
var one = Data{
	Bytes: 1e9, Files: 10, Batches: 10, Records: 1e6, Line: 1000, ID: 14, Bands: 16, KeyBytes: 9,
	Pairs: Pairs{Candidates: 1e5, Lines: 3e5, Paired: 2e5, Copies: 1, Length: 1},
}

var (
	costs  = Costs{Begin: .05, Keys: 1e-8, Pair: 1e-7, Scan: 1e-9, Fetch: 1e-9, Load: 1e-8, Score: 1e-6, Decide: 1e-6, Apply: 2e-9}
	limits = Limits{Pairs: 256 << 20, Scores: 512 << 20}
)

func TestSteps(t *testing.T) {
	steps := Steps(&one, &costs, limits, Cluster{Machines: 1, Cores: 4, Parts: 4})
	for i, want := range []Step{
		{Name: "keys", Tasks: 10, Seconds: 12.6092, Wall: 3.1523, Memory: 12<<20 + 4*24<<20, Scratch: 144e6},
		{Name: "pairs", Tasks: 4, Seconds: 2.28, Wall: 0.57, Memory: 24<<20 + .6*(256<<20), Scratch: 9e6, Spilled: 1.3*192e6 - 128<<20},
		{Name: "bins", Tasks: 1, Seconds: 0.6275, Wall: 0.6275, Memory: 24 << 20, Scratch: 6.4e6},
		{Name: "texts", Tasks: 10, Seconds: 2.48, Wall: 0.62, Memory: 24 << 20, Scratch: 203e6},
		{Name: "scores", Tasks: 4, Seconds: 2.88375, Wall: 0.7209375, Memory: 24<<20 + 55e6, Scratch: 5.8e6},
		{Name: "decisions", Tasks: 1, Seconds: 0.455, Wall: 0.455, Memory: 24<<20 + 9e6, Scratch: 15.2e6},
		{Name: "kept", Tasks: 10, Seconds: 3.4, Wall: 0.85, Memory: 24 << 20},
	} {
		got := steps[i]
		for what, pair := range map[string][2]float64{
			"tasks": {got.Tasks, want.Tasks}, "seconds": {got.Seconds, want.Seconds}, "wall": {got.Wall, want.Wall},
			"memory": {got.Memory, want.Memory}, "scratch": {got.Scratch, want.Scratch}, "spilled": {got.Spilled, want.Spilled},
		} {
			if got.Name != want.Name || math.Abs(pair[0]-pair[1]) > 1e-6*max(1, pair[1]) {
				t.Errorf("%s: %s %v, want %v", want.Name, what, pair[0], pair[1])
			}
		}
	}
}

// TestSum checks that with more machines, the duration and the scratch space per machine decrease,
// but the total work and the memory of a task stay the same.
func TestSum(t *testing.T) {
	sum := func(machines, cores, parts int) Total {
		c := Cluster{machines, cores, parts}
		return Sum(Steps(&one, &costs, limits, c), c)
	}
	few, many := sum(1, 4, 64), sum(16, 4, 64)
	if few.Seconds != many.Seconds || few.Scratch != many.Scratch || few.Memory != many.Memory {
		t.Errorf("%+v of one machine, %+v of 16", few, many)
	}
	if many.Wall >= few.Wall || many.Each != few.Each/16 {
		t.Errorf("%+v of one machine, %+v of 16", few, many)
	}
	if spilled := sum(1, 4, 1); spilled.Each <= spilled.Scratch {
		t.Errorf("nothing is spilled: %+v", spilled)
	}
}

func TestParts(t *testing.T) {
	large, huge := one, one
	large.Records, huge.Records = 1e9, 1e12
	for _, tc := range []struct {
		data *Data
		c    Cluster
		want int
	}{{&one, Cluster{Machines: 1, Cores: 2}, 2}, {&one, Cluster{Machines: 4, Cores: 16}, 64}, {&large, Cluster{Machines: 1, Cores: 2}, 358}, {&huge, Cluster{Machines: 1, Cores: 2}, 1000}} {
		if got := tc.data.Parts(tc.c); got != tc.want {
			t.Errorf("%v records on %+v: %d parts, want %d", tc.data.Records, tc.c, got, tc.want)
		}
	}
}
