package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"doppel/pkg/text"
)

const examples = "../../../testdata/docs/articles.jsonl"

func vocab(t testing.TB) *vocabulary {
	t.Helper()
	v, err := readVocabulary([]string{examples})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// corpus returns n records with many duplicates, and the list of these duplicates.
func corpus(t testing.TB, n uint64) (lines, truth []byte) {
	p := plan{seed: 1, records: n, exact: 0.05, near: 0.15}
	m := &maker{texts: texts{vocabulary: vocab(t), seed: 1, mean: 1000}, shingle: 3}
	for {
		b, err := p.next()
		if err == io.EOF {
			return lines, truth
		}
		out := m.batch(b)
		lines, truth = append(lines, out.lines...), append(truth, out.truth...)
	}
}

func readTexts(t testing.TB, lines []byte) (all [][]byte) {
	for line := range bytes.Lines(lines) {
		var rec struct{ ID, Text string }
		if err := json.Unmarshal(line, &rec); err != nil || rec.ID != strconv.Itoa(len(all)) {
			t.Fatalf("%v: %.80s", err, line)
		}
		all = append(all, []byte(rec.Text))
	}
	return all
}

// shingles returns the set of a text's shingles as the tools compute it.
func shingles(s *text.Shingler, doc []byte) []uint64 {
	set := s.Append(nil, doc)
	slices.Sort(set)
	return slices.Compact(set)
}

func similarity(a, b []uint64) float64 {
	both := 0
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); ok {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// TestTruth checks that the listed pairs have the similarity that the tools compute, and that
// no similar pair is missing from the list.
func TestTruth(t *testing.T) {
	lines, truth := corpus(t, 1500)
	docs, s := readTexts(t, lines), text.NewShingler(text.Default)
	sets := make([][]uint64, len(docs))
	for i, doc := range docs {
		sets[i] = shingles(s, doc)
	}
	named := map[[2]int]bool{}
	for line := range strings.Lines(string(truth)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		a, _ := strconv.Atoi(f[0])
		b, _ := strconv.Atoi(f[1])
		named[[2]int{a, b}] = true
		j, _ := strconv.ParseFloat(f[2], 64)
		if got := similarity(sets[a], sets[b]); math.Abs(got-j) > 0.00006 || j < lowest {
			t.Errorf("%s: measured %.4f", line, got)
		}
		if (f[3] == "exact") != bytes.Equal(docs[a], docs[b]) {
			t.Errorf("%s: the texts say otherwise", line)
		}
	}
	if n := len(named); n < 200 || n > 400 {
		t.Errorf("%d duplicates in 1500 records, planned 300", n)
	}
	for b := range sets {
		for a := range b {
			if j := similarity(sets[a], sets[b]); j >= lowest && !named[[2]int{a, b}] {
				t.Errorf("%d and %d are alike by accident: %.4f", a, b, j)
			}
		}
	}
}

func TestLengths(t *testing.T) {
	m := texts{vocabulary: vocab(t), seed: 1, mean: 3000}
	var sum float64
	const n = 4000
	var tokens []token
	var doc []byte
	for i := range n {
		tokens = m.appendTokens(tokens[:0], uint64(i))
		doc = m.appendText(doc[:0], tokens)
		sum += float64(len(doc))
	}
	if mean := sum / n; mean < 2800 || mean > 3200 {
		t.Errorf("mean length %.0f", mean)
	}
}

// TestLonger checks that a longer corpus starts with the shorter one.
func TestLonger(t *testing.T) {
	short, _ := corpus(t, 300)
	long, _ := corpus(t, 700)
	again, _ := corpus(t, 700)
	if !bytes.HasPrefix(long, short) || !bytes.Equal(long, again) {
		t.Error("records depend on more than their number")
	}
}

func BenchmarkBatch(b *testing.B) {
	p := plan{seed: 1, records: math.MaxUint64, exact: 0.003, near: 0.007}
	m := &maker{texts: texts{vocabulary: vocab(b), seed: 1, mean: 3000}, shingle: 3}
	bytes := 0
	b.ReportAllocs()
	for b.Loop() {
		batch, _ := p.next()
		bytes += len(m.batch(batch).lines)
	}
	b.SetBytes(int64(bytes / b.N))
}

// TestScripts checks that respelling the texts in another script does not change their
// similarity.
func TestScripts(t *testing.T) {
	for name, sc := range scripts {
		m := &maker{texts: texts{vocabulary: vocab(t), seed: 1, mean: 300}, scripts: []script{sc}, shingle: 3}
		p := plan{seed: 1, records: 200, near: 0.2}
		b, err := p.next()
		if err != nil {
			t.Fatal(err)
		}
		out := m.batch(b)
		docs, s := readTexts(t, out.lines), text.NewShingler(text.Default)
		for line := range strings.Lines(string(out.truth)) {
			f := strings.Split(line, "\t")
			a, _ := strconv.Atoi(f[0])
			b, _ := strconv.Atoi(f[1])
			if got := strconv.FormatFloat(similarity(shingles(s, docs[a]), shingles(s, docs[b])), 'f', 4, 64); got != f[2] {
				t.Errorf("%s: %d and %d: %s, want %s", name, a, b, got, f[2])
			}
		}
	}
	if _, err := scriptsOf([]string{"latin", "klingon"}); err == nil {
		t.Error("a script that there is not: no error")
	}
}
