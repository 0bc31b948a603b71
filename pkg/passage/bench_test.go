package passage

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"doppel/pkg/passage/internal/texts"
	"doppel/pkg/text"
)

func BenchmarkSigner(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	corpus := texts.Revisions(r, 8, 1<<17)
	for _, s := range []Scheme{scheme(200, 50), scheme(50, 12), {Words, 50, 12, text.Balanced}} {
		b.Run(s.String(), func(b *testing.B) {
			signer, err := NewSigner(s)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(1 << 17)
			n := 0
			for b.Loop() {
				n = 0
				for runs := range signer.Each(corpus[0]) {
					n += len(runs)
				}
			}
			b.ReportMetric(float64(n)/(1<<17)*1000, "runs/kB")
		})
	}
}

// BenchmarkGroup measures groups of equal texts and groups of texts that share only their
// middle.
func BenchmarkGroup(b *testing.B) {
	for _, n := range []int{2, 100, 10000} {
		for _, distinct := range []int{1, n} {
			b.Run(fmt.Sprintf("%d-of-%d", distinct, n), func(b *testing.B) {
				benchmarkGroup(b, n, distinct)
			})
		}
	}
}

func benchmarkGroup(b *testing.B, n, distinct int) {
	g, err := NewGroup(scheme(200, 50), Rule{KeepFirst, 1})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	members := make([]Member, n)
	for i := range members {
		members[i] = Member{Pos: uint64(i) << 32, Count: 76, Text: texts.Letters(r, 1, 275, "ab")[0]}
		if i >= distinct {
			members[i].Text = members[i%distinct].Text
		}
	}
	var matches []Match
	contexts := make([]int, n)
	b.SetBytes(int64(275 * n))
	for b.Loop() {
		g.Reset()
		for i, m := range members {
			contexts[i] = g.Add(m)
		}
		for i, m := range members {
			matches = g.AppendMatches(matches[:0], contexts[i], m.Pos)
		}
	}
}
