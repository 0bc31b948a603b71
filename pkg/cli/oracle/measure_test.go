package oracle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMeasure checks the intervals of doppel measure on records of known recall. The words of each
// pair occur in no other pair, and the two records share 6 of 10 words. So by the page, a pair loses
// a record with the probability 1-(1-J^rows)^bands.
func TestMeasure(t *testing.T) {
	const pairs, runs, rows, bands = 30, 200, 4, 3
	truth := 1 - math.Pow(1-math.Pow(.6, rows), bands)
	b := bench{t.TempDir()}
	covered, lost, all := 0, 0, 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 0))
		var texts []string
		for range pairs {
			w := make([]any, 10)
			for i := range w {
				w[i] = r.Uint32()
			}
			texts = append(texts, fmt.Sprintf("%d %d %d %d %d %d %d %d", w[:8]...), fmt.Sprintf("%d %d %d %d %d %d %d %d", w[2:]...))
		}
		r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		b.put("a.txt", unlines(texts))
		sample := 2 * pairs
		if seed%2 > 0 {
			sample -= 15
		}
		got := b.run("measure", "--lines", "-t=0.5", "--shingle=w1", fmt.Sprint("--rows=", rows), fmt.Sprint("--bands=", bands),
			fmt.Sprint("--seed=", seed+1), fmt.Sprint("--sample=", sample), "@a.txt")
		var share, low, high float64
		var k, n, dropped, named int
		for _, line := range splitLines(got.stdout) {
			f := strings.Split(line, "\t")
			switch {
			case f[0] == "recall" && n == 0:
				fmt.Sscanf(f[2], "%d of %d pairs of similarity 0.50", &k, &n)
				fmt.Sscan(strings.Join([]string{f[1], f[3], f[4]}, " "), &share, &low, &high)
			case f[0] == "precision" && k > 0:
				fmt.Sscanf(f[2], "%d of %d", &named, &dropped)
			}
		}
		wanted := got.status == 0 && n > 0 && n <= pairs && (seed%2 > 0 || n == pairs) && named == k && dropped == k &&
			math.Abs(float64(k)/float64(n)-share) < .0001
		if !wanted {
			t.Fatalf("seed %d: status %d: %s%s", seed, got.status, got.stdout, got.stderr)
		}
		lost, all = lost+k, all+n
		if low <= truth && truth <= high {
			covered++
		}
	}
	if mean := float64(lost) / float64(all); math.Abs(mean-truth) > .03 {
		t.Errorf("the mean recall is %.4f, want %.4f", mean, truth)
	}
	if share := float64(covered) / runs; share < .9 || share > .995 {
		t.Errorf("%.3f of the intervals of 95 %% cover the recall", share)
	}
}
