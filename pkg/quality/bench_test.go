package quality

import (
	"strings"
	"testing"
)

// BenchmarkGrams measures the time to count the n-grams of a page, for n from 2 to 10. In
// "chained", the step for each n uses the results of the previous step. In "each", every step
// considers all n-grams.
func BenchmarkGrams(b *testing.B) {
	text := []byte(strings.Repeat(prose, 1))
	count := func(b *testing.B, each func(*grams)) {
		var t Text
		t.Set(text)
		t.scan()
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			t.grams.reset()
			for n := 2; n <= maxGram; n++ {
				each(&t.grams)
				t.topChars(n)
				t.dupChars(n)
			}
		}
	}
	b.Run("chained", func(b *testing.B) { count(b, func(*grams) {}) })
	b.Run("each", func(b *testing.B) { count(b, func(g *grams) { g.n = 0 }) })
}

// BenchmarkPhrase measures the search for a phrase that is not in the text.
func BenchmarkPhrase(b *testing.B) {
	text := []byte(strings.Repeat(prose, 40))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		loremIpsum.index(text)
	}
}

func BenchmarkSet(b *testing.B) {
	for name, text := range map[string]string{"english": prose, "russian": "Вчера вечером я забыл зонт в трамвае, а сегодня утром опять идёт дождь. "} {
		b.Run(name, func(b *testing.B) {
			var t Text
			in := []byte(strings.Repeat(text, 4))
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				t.Set(in)
				t.scan()
			}
		})
	}
}

func BenchmarkStopWords(b *testing.B) {
	var t Text
	t.Set([]byte(prose))
	for b.Loop() {
		t.wordsIn(stopWords())
	}
}
