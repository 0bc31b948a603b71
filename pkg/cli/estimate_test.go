package cli

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An estimator makes the decisions of runs with a collection of signatures as the pages describe
// them, by comparing all pairs. It takes the signatures from recsign, and knows their layout from
// doppel-signatures(5).
type estimator struct {
	slots, bits int
	threshold   float64
	only        bool     // --only-against
	ordinals    bool     // decisions name new records by their ordinals
	ids, olds   []string // of the records of the collection that have a signature
}

// equal returns the number of equal slots of two signatures.
func (e *estimator) equal(a, b string) (n int) {
	width := e.bits / 8
	for i := range e.slots {
		if a[i*width:][:width] == b[i*width:][:width] {
			n++
		}
	}
	return n
}

// estimate returns the estimate of the similarity of two signatures.
func (e *estimator) estimate(a, b string) float64 {
	if at := e.slots * e.bits / 8; a[at:] == b[at:] {
		return 1
	}
	chance := 1 / float64(int64(1)<<e.bits)
	share := (float64(e.equal(a, b))/float64(e.slots) - chance) / (1 - chance)
	return min(max(0, share), 1-1/float64(e.slots+1))
}

// similarity returns the Jaccard similarity of the sets of words of two texts.
func similarity(a, b string) float64 {
	words := map[string]int{}
	for _, w := range strings.Fields(a) {
		words[w] |= 1
	}
	for _, w := range strings.Fields(b) {
		words[w] |= 2
	}
	shared := 0
	for _, in := range words {
		if in == 3 {
			shared++
		}
	}
	return float64(shared) / float64(len(words))
}

// run returns the kept rows and the decisions to drop of a run over a file, and adds the kept
// records to the collection.
func (e *estimator) run(file string, texts, signatures []string) (kept, drops string) {
	type leader struct{ id, text, signature string }
	var leaders []leader
	for i, text := range texts {
		best, id := -1, ""
		consider := func(s float64, name string) {
			if score := int(s*10000 + 1e-6); s >= e.threshold && score > best {
				best, id = score, name
			}
		}
		for j, old := range e.olds {
			if signatures[i] != "" {
				consider(e.estimate(old, signatures[i]), e.ids[j])
			}
		}
		for _, l := range leaders {
			if signatures[i] != "" && !e.only && e.equal(l.signature, signatures[i]) > 0 {
				consider(similarity(l.text, text), l.id)
			}
		}
		name := fmt.Sprint(file, ":", i)
		if e.ordinals {
			name = fmt.Sprint(i)
		}
		if best >= 0 {
			drops += fmt.Sprintf("drop\t%s\t%s\t%.4f\tscore>=%s\n", name, id, float64(best)/10000, strconv.FormatFloat(e.threshold, 'g', -1, 64))
			continue
		}
		row, _ := json.Marshal(map[string]string{"text": text})
		kept += string(row) + "\n"
		if signatures[i] != "" {
			leaders = append(leaders, leader{name, text, signatures[i]})
		}
	}
	for _, l := range leaders {
		id := l.id
		if e.ordinals {
			id = file + ":" + id
		}
		e.ids, e.olds = append(e.ids, id), append(e.olds, l.signature)
	}
	return kept, drops
}

// drawTexts returns random texts. Most are revisions of the given ones or of one another.
func drawTexts(r *rand.Rand, from []string) (texts []string) {
	for range 10 + r.IntN(40) {
		texts = append(texts, drawText(r, slices.Concat(from, texts)))
	}
	return texts
}

// signTexts writes a file of texts, and returns their signatures, which are empty for empty texts.
func signTexts(t *testing.T, file string, texts, options []string) (signatures []string) {
	t.Helper()
	var rows strings.Builder
	for _, text := range texts {
		row, _ := json.Marshal(map[string]string{"text": text})
		fmt.Fprintf(&rows, "%s\n", row)
	}
	data := rows.String()
	if strings.HasSuffix(file, ".gz") {
		data = runWords(t, data, "reccat", "--to=gz")
	}
	if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(runWords(t, "", slices.Concat([]string{"recsign"}, options, []string{file})...)) {
		body := strings.Split(strings.TrimSuffix(line, "\n"), "\t")[2]
		raw, err := base64.RawStdEncoding.DecodeString(strings.TrimPrefix(body, "-"))
		if err != nil {
			t.Fatal(err)
		}
		signatures = append(signatures, string(raw))
	}
	return signatures
}

// Runs with a collection of signatures decide as the estimator does, over any batches and with any
// slots. With a band for each slot, all pairs with an equal slot are compared.
func TestEstimate(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 99))
		e := &estimator{slots: []int{1, 5, 64, 128}[r.IntN(4)], bits: []int{8, 16, 32}[r.IntN(3)], threshold: []float64{.3, .5, .8, 1}[r.IntN(4)]}
		signs := []string{"--shingle=w1", "--normalize=none", fmt.Sprint("--slots=", e.slots)}
		program := "recsieve"
		if e.bits == 16 && r.IntN(2) == 0 {
			program = "fuzzy"
		} else {
			signs = append(signs, fmt.Sprint("--slot-bits=", e.bits))
		}
		os.RemoveAll("seen")
		var before []string
		for part := range 2 + r.IntN(4) {
			texts, file := drawTexts(r, before), fmt.Sprint("part", part, ".jsonl", []string{"", ".gz"}[r.IntN(2)])
			signatures := signTexts(t, file, texts, signs)
			args := []string{program, "--index=seen", "--hot=100000", "--decisions=d"}
			if part == 0 || r.IntN(2) == 0 {
				args = append(slices.Concat(args, signs), "--estimate", fmt.Sprint("--threshold=", e.threshold), fmt.Sprint("--bands=", e.slots), "--rows=1")
			}
			if e.ordinals = program == "fuzzy"; e.ordinals {
				args = append(args, "--stats=none")
			} else {
				args = append(args, "-H")
			}
			if e.only = r.IntN(4) == 0; e.only {
				args = append(args, "--only-against")
			}
			args = append(args, []string{"--mem=1", "--mem=1M", "--jobs=1", "--jobs=3"}[r.IntN(4)], file)
			if part > 0 && r.IntN(4) == 0 {
				runWords(t, "", "index", "--merge", "seen")
			}
			want, drops := e.run(file, texts, signatures)
			if got := runWords(t, "", args...); got != want {
				t.Errorf("seed %d: %v: records\n%s\nwant\n%s", seed, args, got, want)
			}
			if got := dropped(readNew(t, "d")); got != drops {
				t.Errorf("seed %d: %v: decisions\n%s\nwant\n%s", seed, args, got, drops)
			}
			if got := runWords(t, "", "index", "--check", "seen"); got != "" {
				t.Error(got)
			}
			before = append(before, texts...)
			os.Remove(file)
		}
	}
}
