package corpus

import (
	"math/rand/v2"
	"testing"

	"doppel/pkg/passage"
	"doppel/pkg/passage/internal/texts"
)

// BenchmarkFind measures Scan and Find on a corpus without repeats, on revisions that are almost
// all repeats, and on copies of one page.
func BenchmarkFind(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	page := texts.Letters(r, 1, 2000, "etaoin shrdlu\n")[0]
	equal := make(memory, 8000)
	for i := range equal {
		equal[i] = page
	}
	for name, corpus := range map[string]memory{
		"unlike":    texts.Letters(r, 4000, 4000, "etaoin shrdlu\n"),
		"revisions": texts.Revisions(r, 2000, 8000),
		"equal":     equal,
	} {
		b.Run(name, func(b *testing.B) { benchmarkFind(b, corpus) })
	}
}

func benchmarkFind(b *testing.B, corpus memory) {
	size := int64(0)
	for _, t := range corpus {
		size += int64(len(t))
	}
	b.SetBytes(size)
	for b.Loop() {
		f, err := New(Options{Scheme: scheme(200, 50), Rule: first, Mem: 1 << 26, Jobs: 2})
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Scan(corpus.open); err != nil {
			b.Fatal(err)
		}
		if err := f.Find(corpus.open, func(passage.Repeat) error { return nil }); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
