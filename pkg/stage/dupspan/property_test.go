package dupspan_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/stage/dupspan"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

// run runs a tool in this process and returns its output.
func run(t *testing.T, c *tool.Command, stdin string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := tool.Run(c, tool.Std{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs}); status != 0 {
		t.Fatalf("%s %q: status %d, %s", c.Name, args, status, &errs)
	}
	return out.String()
}

// pieces are the building blocks of random texts. They have characters of one to four bytes,
// characters that JSON must escape, and characters that it may escape.
var pieces = []string{"one ", "two\n", "für ", "漢字", "\"quoted\" ", "back\\slash ", "tab\t", "\r\n", "𝒳yz ", "e\u0301", " ", "longer than others, ", "\u0001", "a/b "}

// textsOf returns n random texts with passages that are repeated within a text and between texts.
func textsOf(r *rand.Rand, n int) (texts []string) {
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			if len(texts) > 0 && r.IntN(2) == 0 {
				b.WriteString(partOf(r, texts[r.IntN(len(texts))]))
			}
			for range r.IntN(12) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
		}
		texts = append(texts, b.String())
	}
	return texts
}

// partOf returns a random part of a text, without splitting a character.
func partOf(r *rand.Rand, text string) string {
	runes := []rune(text)
	start := r.IntN(len(runes) + 1)
	return string(runes[start : start+r.IntN(len(runes)-start+1)])
}

// jsonOf returns a text as a JSON string, in one of several equivalent forms.
func jsonOf(r *rand.Rand, text string) string {
	if r.IntN(2) == 0 {
		b, _ := json.Marshal(text)
		return string(b)
	}
	var b strings.Builder
	for _, c := range text {
		switch {
		case c >= 0x10000:
			b.WriteRune(c)
		case c < ' ' || c == '"' || c == '\\' || r.IntN(3) == 0:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	return `"` + b.String() + `"`
}

// fileOf writes a file with one record per text and returns its name.
func fileOf(t *testing.T, r *rand.Rand, texts []string) string {
	t.Helper()
	var b strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&b, "{\"n\":%d, \"text\" : %s,\"rest\":[\"\\u00e4\"]}\n", i, jsonOf(r, text))
	}
	name := filepath.Join(t.TempDir(), "data.jsonl")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func textsIn(t *testing.T, lines string) (texts []string) {
	t.Helper()
	for text := range strings.Lines(lines) {
		var rec struct{ Text string }
		if err := json.Unmarshal([]byte(text), &rec); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		texts = append(texts, rec.Text)
	}
	return texts
}

// repeated marks the bytes of all windows of the given length that occur earlier in the same text
// or in an earlier text. It is the reference implementation for TestOracle.
func repeated(texts []string, length int) [][]bool {
	seen, marks := map[string]bool{}, make([][]bool, len(texts))
	for i, text := range texts {
		marks[i] = make([]bool, len(text))
		for at := 0; at+length <= len(text); at++ {
			if w := text[at : at+length]; seen[w] {
				for j := range length {
					marks[i][at+j] = true
				}
			} else {
				seen[w] = true
			}
		}
	}
	return marks
}

// dropped marks the bytes that decisions drop, and checks that each dropped part equals the kept
// part named in its decision.
func dropped(t *testing.T, texts []string, decisions string) [][]bool {
	t.Helper()
	marks := make([][]bool, len(texts))
	for i := range texts {
		marks[i] = make([]bool, len(texts[i]))
	}
	part := func(id []byte) (record, start, end int) {
		owner, start, end, ok := ids.CutPart(id)
		n, ordinal := ids.Ordinal(owner)
		if !ok || !ordinal || end > len(texts[n]) || start >= end {
			t.Fatalf("%q is no part", id)
		}
		return int(n), start, end
	}
	for text := range strings.Lines(decisions) {
		var d line.Decision
		if err := d.Parse([]byte(strings.TrimSuffix(text, "\n"))); err != nil {
			t.Fatal(err)
		}
		record, start, end := part(d.ID)
		from, first, last := part(d.Kept)
		if texts[record][start:end] != texts[from][first:last] {
			t.Errorf("%s: %q is not %q", text, texts[record][start:end], texts[from][first:last])
		}
		for i := start; i < end; i++ {
			if marks[record][i] {
				t.Fatalf("%s: overlaps", text)
			}
			marks[record][i] = true
		}
	}
	return marks
}

// left returns the texts without the marked bytes.
func left(texts []string, marks [][]bool) (all []string) {
	for i, text := range texts {
		var b []byte
		for j := range len(text) {
			if !marks[i][j] {
				b = append(b, text[j])
			}
		}
		all = append(all, string(b))
	}
	return all
}

// TestOracle compares the decisions with the result of the function repeated. With --snap byte they
// drop exactly the bytes that the function marks; with any other --snap they drop some of these
// bytes and never split a character. The chain of recsign, lshkeys and dupspan makes the same
// decisions. The output of keepdrop lacks exactly the dropped bytes, and other fields are
// unchanged.
func TestOracle(t *testing.T) {
	const length, least = 24, 100
	total := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(1, seed))
		texts := textsOf(r, 12)
		name := fileOf(t, r, texts)
		want := repeated(texts, length)
		for _, snap := range []string{"byte", "utf8", "word", "line"} {
			args := []string{"--records", name, "--snap", snap}
			found := run(t, dupspan.Command(), "", append(args, "--scan", "--length=24")...)
			keys := run(t, lshkeys.Command(), run(t, recsign.Command(), "", "-m", "passage", "--length=24", name))
			if chain := run(t, dupspan.Command(), keys, append(args, "--mem=1K", "-j3")...); chain != found {
				t.Fatalf("seed %d, %s: the chain finds\n%s, not\n%s", seed, snap, chain, found)
			}
			marks := dropped(t, texts, found)
			for i := range texts {
				for j := range marks[i] {
					if marks[i][j] && !want[i][j] || snap == "byte" && marks[i][j] != want[i][j] {
						t.Fatalf("seed %d, %s: byte %d of text %d is dropped: %v", seed, snap, j, i, marks[i][j])
					}
				}
			}
			total += strings.Count(found, "\n")
			if snap != "byte" {
				checkCut(t, name, found, left(texts, marks))
			}
		}
	}
	if total < least {
		t.Errorf("%d passages show little", total)
	}
}

func checkCut(t *testing.T, name, decisions string, want []string) {
	t.Helper()
	got := run(t, keepdrop.Command(), decisions, "--cut", "--decisions=-", name)
	for i, text := range textsIn(t, got) {
		if !utf8.ValidString(want[i]) || text != want[i] {
			t.Errorf("text %d is cut to %q, not %q", i, text, want[i])
		}
	}
	if n := strings.Count(got, `"rest":["\u00e4"]}`); n != len(want) {
		t.Errorf("%d records of %d are as they were", n, len(want))
	}
}

// TestSecondRun checks that a second run would find only passages that span a cut of the first run,
// in the record itself or in the record where the passage occurs first.
func TestSecondRun(t *testing.T) {
	const length = 12
	new := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(2, seed))
		texts := textsOf(r, 15)
		marks := dropped(t, texts, run(t, dupspan.Command(), "", "--scan", "--snap=byte", "--length=12", "--records", fileOf(t, r, texts)))
		first := map[string]bool{} // by window: whether its first occurrence spans a cut
		after := left(texts, marks)
		for i, text := range after {
			over := junctions(marks[i])
			for at := 0; at+length <= len(text); at++ {
				w := text[at : at+length]
				here := bytes.IndexByte(over[at+1:at+length], 1) >= 0
				there, stood := first[w]
				if stood && !here && !there {
					t.Errorf("seed %d: %q was left at %d of %q", seed, w, at, text)
				}
				if stood {
					new++
				} else {
					first[w] = here
				}
			}
		}
	}
	if new == 0 {
		t.Error("no text had a second passage, so this shows nothing")
	}
}

// junctions returns, for each unmarked byte, 1 if the byte follows a cut, otherwise 0.
func junctions(marks []bool) (over []byte) {
	cut := byte(0)
	for _, m := range marks {
		if m {
			cut = 1
			continue
		}
		over = append(over, cut)
		cut = 0
	}
	return over
}

// With a length in words, the chain of tools makes the same decisions, and each dropped part has
// the same words as the kept part named in its decision.
func TestWords(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(3, seed))
		texts := textsOf(r, 12)
		name := fileOf(t, r, texts)
		found := run(t, dupspan.Command(), "", "--scan", "--length=w5", "--records", name)
		keys := run(t, lshkeys.Command(), run(t, recsign.Command(), "", "-m", "passage", "--length=w5", name))
		if chain := run(t, dupspan.Command(), keys, "--mem=1K", "--records", name); chain != found {
			t.Fatalf("the chain finds\n%s, not\n%s", chain, found)
		}
		for text := range strings.Lines(found) {
			var d line.Decision
			if err := d.Parse([]byte(strings.TrimSuffix(text, "\n"))); err != nil {
				t.Fatal(err)
			}
			if a, b := words(texts, d.ID), words(texts, d.Kept); a != b || a == "" {
				t.Errorf("%s: %q is not %q", text, a, b)
			}
		}
		checkedCut := run(t, keepdrop.Command(), found, "--cut", "--decisions=-", name)
		textsIn(t, checkedCut)
	}
}

// words returns the text of the part with the given id, without spaces, punctuation and control
// characters.
func words(texts []string, id []byte) string {
	owner, start, end, _ := ids.CutPart(id)
	n, _ := ids.Ordinal(owner)
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(" \"\\/,", r) {
			return -1
		}
		return r
	}, texts[n][start:end])
}

// A carriage return is an ordinary byte of a passage, and --snap line keeps it with its line feed.
func TestCRLF(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data")
	page := "A page that stands twice.\\r\\nIt has two lines.\\r\\n"
	if err := os.WriteFile(name, []byte(`{"text":"`+page+`x"}`+"\r\n"+`{"text":"y `+page+`"}`+"\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	found := run(t, dupspan.Command(), "", "--scan", "--length=30", "--snap=line", "--records", name)
	if want := "drop\t1#29-48\t0#27-46\t1.0000\tpassage>=30\n"; found != want {
		t.Errorf("%q, not %q", found, want)
	}
	got := run(t, keepdrop.Command(), found, "--cut", "--decisions=-", name)
	if want := `{"text":"y A page that stands twice.\r\n"}`; strings.Split(got, "\n")[1] != want {
		t.Errorf("%q", got)
	}
}
