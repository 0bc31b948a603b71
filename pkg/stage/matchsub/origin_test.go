package matchsub

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"doppel/pkg/line"
	"doppel/pkg/substr"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// wordy returns a random text of few different words, with line ends, blanks, punctuation, letters
// of several sizes and, if asked for, bytes that are not UTF-8.
func wordy(r *rand.Rand, n int, bytes bool) string {
	pieces := []string{"a", "b", "É", "é", "漢", "字", "ſ", " ", "\r\n", "\t ", "\n", "-", ", ", "\U0001D400"}
	if bytes {
		pieces = append(pieces, "\xff", "\xc3")
	}
	var out strings.Builder
	for range n {
		out.WriteString(pieces[r.IntN(len(pieces))])
	}
	return out.String()
}

// TestNormalizedMatches compares random texts under each normalization, as bytes and as characters.
// Each match must have the same words in both files. Each run of words that is in both files and has
// the minimum size must be in a match.
func TestNormalizedMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	found := 0
	for i := range 1500 {
		o := Default()
		o.Bytes, o.AllMatches, o.Threshold, o.Most = i%2 == 0, true, 1+r.IntN(6), 0
		o.Normalize = []text.Normalization{text.Conservative, text.Balanced}[i/2%2]
		a, b := wordy(r, r.IntN(24), o.Bytes), wordy(r, r.IntN(24), o.Bytes)
		if o.Bytes {
			found += checkNormalized(t, &o, a, b, asBytes)
		} else {
			found += checkNormalized(t, &o, a, b, asRunes)
		}
	}
	if found < 500 {
		t.Errorf("only %d matches", found)
	}
}

// matchesOf returns the matches of two texts.
func matchesOf[T substr.Symbol](t *testing.T, o *Options, a, b string, c codec[T]) (all []line.Match) {
	t.Helper()
	var buf bytes.Buffer
	e := &tool.Env{Out: bufio.NewWriter(&buf)}
	texts := map[string]string{"a": a, "b": b}
	from := func(name []byte) ([]byte, error) { return []byte(texts[string(name)]), nil }
	r := newMatcher(e, o, from, nil, c).matchPair(pair{Pair: line.Pair{A: []byte("a"), B: []byte("b")}})
	if r.err != nil {
		t.Fatal(r.err)
	}
	e.Out.Write(r.out)
	if r.rest != nil {
		if _, err := r.rest.write(e); err != nil {
			t.Fatal(err)
		}
	}
	e.Out.Flush()
	for l := range bytes.Lines(buf.Bytes()) {
		var m line.Match
		columns := strings.Split(strings.TrimSuffix(string(l), "\n"), "\t")
		if _, err := fmt.Sscan(strings.Join(append(columns[2:6:6], columns[7]), " "), &m.StartA, &m.EndA, &m.StartB, &m.EndB, &m.Size); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		m.Text = []byte(columns[6])
		all = append(all, m)
	}
	return all
}

func checkNormalized[T substr.Symbol](t *testing.T, o *Options, a, b string, c codec[T]) int {
	t.Helper()
	shingler := text.NewShingler(text.Options{Shingle: text.Default.Shingle, Normalize: o.Normalize})
	normal := func(s string) string { return string(shingler.Normalized(nil, []byte(s))) }
	fileA, _ := c.decode([]byte(a), nil)
	fileB, _ := c.decode([]byte(b), nil)
	length := func(s string) int64 { n, _ := c.decode([]byte(s), nil); return int64(len(n)) }
	all := matchesOf(t, o, a, b, c)
	var texts []string
	for _, m := range all {
		inA, inB := normal(string(c.encode(nil, fileA[m.StartA:m.EndA]))), normal(string(c.encode(nil, fileB[m.StartB:m.EndB])))
		if inA != inB || length(inA) != m.Size || m.Size < int64(o.Threshold) {
			t.Fatalf("%v of %q and %q: %+v: %q, %q", o.Normalize, a, b, m, inA, inB)
		}
		texts = append(texts, inA)
	}
	words := strings.Fields(normal(a))
	for i := range words {
		for j := i + 1; j <= len(words); j++ {
			run := strings.Join(words[i:j], " ")
			if length(run) < int64(o.Threshold) || !strings.Contains(" "+normal(b)+" ", " "+run+" ") {
				continue
			}
			if !strings.Contains(strings.Join(texts, "\n"), run) {
				t.Fatalf("%v of %q and %q: %q is in no match of %q", o.Normalize, a, b, run, texts)
			}
		}
	}
	return len(all)
}

// TestLettersLikeShingler checks that the compared text is the one whose fingerprints recsign
// takes.
func TestLettersLikeShingler(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, how := range []text.Normalization{text.Conservative, text.Balanced} {
		o := Default()
		o.Normalize = how
		m := matcher[byte]{o: &o, codec: asBytes}
		shingler := text.NewShingler(text.Options{Shingle: text.Default.Shingle, Normalize: how})
		for range 2000 {
			body := []byte(wordy(r, r.IntN(30), true))
			got, _, err := m.symbols(body, nil)
			if want := shingler.Normalized(nil, body); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%v of %q: %q, want %q", how, body, got, want)
			}
		}
	}
}

// TestUTF16 checks that a UTF-16 file has the matches of the same text in UTF-8, with positions in
// bytes of the UTF-16 file.
func TestUTF16(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 1000 {
		o := Default()
		o.Bytes, o.AllMatches, o.Threshold, o.Most = true, true, 1+r.IntN(4), 0
		o.Normalize = text.Normalization(i % 3)
		a, b := wordy(r, r.IntN(20), false), wordy(r, r.IntN(20), false)
		wideA := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(a)) {
			wideA = binary.LittleEndian.AppendUint16(wideA, unit)
		}
		bytesBefore := func(at int64) int64 { return 2 + 2*int64(len(utf16.Encode([]rune(a[:at])))) }
		want := map[string]bool{}
		for _, m := range matchesOf(t, &o, a, b, asBytes) {
			want[fmt.Sprint(bytesBefore(m.StartA), bytesBefore(m.EndA), m.StartB, m.EndB, m.Size, string(m.Text))] = true
		}
		for _, m := range matchesOf(t, &o, string(wideA), b, asBytes) {
			key := fmt.Sprint(m.StartA, m.EndA, m.StartB, m.EndB, m.Size, string(m.Text))
			// Without normalisation, matches of UTF-8 files may cut characters.
			if o.Normalize != text.None && !want[key] {
				t.Fatalf("%v of %q and %q: %s, want %v", o.Normalize, a, b, key, want)
			}
			delete(want, key)
			if !strings.Contains(a, strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t").Replace(string(m.Text))) {
				t.Fatalf("%q is not in %q", m.Text, a)
			}
		}
		if o.Normalize != text.None && len(want) > 0 {
			t.Fatalf("%v of %q and %q: missing %v", o.Normalize, a, b, want)
		}
	}
}
