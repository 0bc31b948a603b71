package quality

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// setLong is like Set, but treats b as a long text, with the given minimum size of parts and
// maximum number of slots.
func (t *Text) setLong(b []byte, least, room int) {
	t.setText(b)
	t.long = newLong(len(b))
	t.long.least, t.long.room = least, room
}

func sameLong(t *testing.T, b []byte, least, room int) {
	t.Helper()
	var short, long Text
	short.Set(b)
	long.setLong(b, least, room)
	for _, m := range Metrics {
		got, want := m.Measure(&long), m.Measure(&short)
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%s of %q in parts of %d, %d slots: %v, want %v", m.Name, b, least, room, got, want)
		}
	}
	unique, _ := lookUp("unique_words_ratio")
	// The metric unique_words_ratio uses n = 1 again, after larger values of n.
	if got, want := unique.Measure(&long), unique.Measure(&short); got != want && !math.IsNaN(got) {
		t.Fatalf("unique words of %q: %v, want %v", b, got, want)
	}
}

// FuzzLong checks that measuring a text in several parts and passes gives the same results as
// measuring it as a whole. It repeats the fuzz input, because a short text needs only one pass.
func FuzzLong(f *testing.F) {
	for _, text := range []string{
		"The cat sat. The cat sat on\n\nthe mat, and the cat sat.\n", "漢字 かなx\xff ไทย า漢 ", "a", " \u00a0x\u2003y\u0e31 \xe6\xbc z", "İx ıI\n\nÉ é\n", "a{ www.b.com b} lorem ipsum. ",
	} {
		f.Add([]byte(text), uint8(3), uint8(2))
		f.Add([]byte(text), uint8(40), uint8(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, times, least uint8) {
		all := bytes.Repeat(b, 1+int(times)%64)
		for i := range all { // change some bytes, or nearly every n-gram would be repeated
			if i%37 == 0 && all[i] < 0x80 {
				all[i] = "abcdefghijk ,\n"[i/37%14]
			}
		}
		sameLong(t, all, int(least), 64)
	})
}

// TestPassOverfull checks that a pass with more distinct hashes than slots counts all of them.
func TestPassOverfull(t *testing.T) {
	p := passes{room: 64}
	n := 0
	p.count(1, func() {
		for h := range uint64(1000) {
			p.countHash(h, 0)
			if p.countHash(h, 0).count == 2 {
				n++
			}
		}
	})
	if n != 1000 {
		t.Errorf("%d of 1000", n)
	}
}

// TestSetLong checks that a text of at least longBytes is measured in parts, without the buffers of
// short texts, and that the same Text can hold a short text afterwards.
func TestSetLong(t *testing.T) {
	var text, parted Text
	b := []byte(strings.Repeat("Some words that are not the same, 漢字. ", longBytes/40))[:longBytes-1]
	text.Set(b)
	if b = append(b, b[:200]...); text.long != nil {
		t.Fatal("long below its length")
	}
	parted.Set(b)
	if parted.long == nil {
		t.Fatal("not long")
	}
	for _, m := range []func(*Text) float64{func(t *Text) float64 { return float64(t.count()) }, topGramCharFraction(2), dupGramCharFraction(9)} {
		if m(&text) == 0 || m(&parted) == 0 {
			t.Error("nothing is measured")
		}
	}
	if held := cap(parted.words) + cap(parted.seen.slots) + cap(parted.pieces[lines]); held != 0 {
		t.Errorf("%d are held", held)
	}
	parted.Set([]byte("a b"))
	if parted.long != nil || parted.count() != 2 {
		t.Error("a short text is long")
	}
}
