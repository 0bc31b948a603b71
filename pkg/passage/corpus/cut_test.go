package corpus

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"doppel/pkg/passage"
	"doppel/pkg/passage/internal/texts"
	"doppel/pkg/passage/span"
)

// TestCuts checks that cuts are inside repeated passages, equal their evidence, and do not split
// code points.
func TestCuts(t *testing.T) {
	corpora := texts.All(t)
	german := memory{[]byte("Über größere Übungen für Bäcker und Müller: ä ö ü"), []byte("ßÜber größere Übungen für Bäcker und Müllerinnen: ö")}
	corpora["german"] = append(german, []byte("\x9cber größere Übungen für Bäcker und M\xc3"))
	for name, corpus := range corpora {
		s := scheme(25, 9)
		repeats, _ := find(t, Options{Scheme: s, Rule: first, Mem: 1 << 18, Jobs: 2}, corpus)
		for _, snap := range []span.Snap{span.Byte, span.UTF8, span.Word, span.Line} {
			c, err := span.NewCutter(span.Options{Scheme: s, Snap: snap})
			if err != nil {
				t.Fatal(err)
			}
			eachRecord(repeats, func(list []passage.Repeat) {
				cuts, err := c.Cuts(corpus[list[0].Record], list)
				if err != nil {
					t.Fatal(err)
				}
				checkCuts(t, name, corpus, list, cuts, snap)
			})
		}
	}
}

// eachRecord calls fn once for each record that has repeats, with all its repeats.
func eachRecord(repeats []passage.Repeat, fn func([]passage.Repeat)) {
	for len(repeats) > 0 {
		n := 1
		for n < len(repeats) && repeats[n].Record == repeats[0].Record {
			n++
		}
		fn(repeats[:n])
		repeats = repeats[n:]
	}
}

func checkCuts(t *testing.T, name string, corpus memory, repeats []passage.Repeat, cuts span.Cuts, snap span.Snap) {
	text := corpus[repeats[0].Record]
	repeated := make([]bool, len(text))
	for _, r := range repeats {
		for i := r.Start; i < r.End(25); i++ {
			repeated[i] = true
		}
	}
	for _, c := range cuts.Cuts {
		if bytes.Contains(bytesOfMarks(repeated[c.Start:c.End]), []byte{0}) {
			t.Errorf("%s %v: %v is not all repeated", name, snap, c.Span)
		}
		if snap != span.Byte && utf8.Valid(text) && !utf8.Valid(text[c.Start:c.End]) {
			t.Errorf("%s %v: %q parts a letter", name, snap, text[c.Start:c.End])
		}
		at := c.Start
		for _, p := range c.Pieces {
			if p.Start != at || !bytes.Equal(text[p.Start:p.End], corpus[p.From][p.At:p.At+p.End-p.Start]) {
				t.Errorf("%s %v: piece %+v does not follow %d, or is not its evidence", name, snap, p, at)
			}
			at = p.End
		}
		if at != c.End {
			t.Errorf("%s %v: pieces of %v end at %d", name, snap, c.Span, at)
		}
	}
	if total := bytes.Count(bytesOfMarks(repeated), []byte{1}); snap == span.Byte && cuts.Bytes != total {
		t.Errorf("%s: %d bytes are cut, of %d that are repeated", name, cuts.Bytes, total)
	}
}

func bytesOfMarks(m []bool) []byte {
	b := make([]byte, len(m))
	for i, x := range m {
		if x {
			b[i] = 1
		}
	}
	return b
}
