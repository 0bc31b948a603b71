// Measure runs pkg/language on the samples of at least 50 bytes that train -held holds out. For
// each language, it prints the number of these samples, and three percentages of them: those
// identified correctly, those identified correctly with a confidence of at least 0.5, and those
// identified wrongly with a confidence of at least 0.5.
//
//	go run ./scripts/language/measure < corpus.tsv
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"doppel/pkg/language"
	"doppel/scripts/language/sample"
)

type tally struct{ texts, right, sure, wrongSure int }

func main() {
	var d language.Detector
	all := map[string]*tally{}
	err := sample.Each(os.Stdin, func(s sample.Sample) {
		if !s.Held || len(s.Text) < 50 {
			return
		}
		t := all[s.Language]
		if t == nil {
			t = new(tally)
			all[s.Language] = t
		}
		t.count(d.Identify(s.Text), s.Language)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(2)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t := all[name]
		share := func(n int) float64 { return 100 * float64(n) / float64(t.texts) }
		fmt.Printf("%s\t%d\t%.1f\t%.1f\t%.1f\n", name, t.texts, share(t.right), share(t.sure), share(t.wrongSure))
	}
}

func (t *tally) count(r language.Result, want string) {
	t.texts++
	right, sure := r.Language == want, r.Confidence >= 0.5
	if right {
		t.right++
	}
	if right && sure {
		t.sure++
	}
	if !right && sure {
		t.wrongSure++
	}
}
