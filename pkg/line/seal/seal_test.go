package seal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// sealed returns a seal of the form f, followed by the lines that it covers, as earlier versions
// wrote them. TestGolden compares it with files of such a version.
func sealed(f form, lines string) string {
	sums := newLineSums(f)
	sums.addBytes([]byte(lines))
	return string(f.sealLine(sums.content(f))) + lines
}

// TestGolden checks that sealed returns what an earlier version wrote.
func TestGolden(t *testing.T) {
	for _, name := range []string{"minhash.sigs", "scores.json", "passage.keys"} {
		text, err := os.ReadFile("../../../testdata/golden/0.1.0/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, lines, _ := strings.Cut(string(text), "\n")
		if got := sealed(form{JSON: strings.HasSuffix(name, ".json")}, lines); got != string(text) {
			t.Errorf("%s: %.200q, want %.200q", name, got, text)
		}
	}
}

// read passes a text through a Reader for a file or a pipe. Each call of Read asks for at most size
// bytes. read returns the lines, the number of changes that the Reader reported, and the error.
func read(text string, pipe bool, size int) (out string, reports int, err error) {
	r := NewReader(bufio.NewReaderSize(strings.NewReader(text), 128), strings.Contains(text, "\x00"), pipe, func(note string) {
		if note == errChanged.why {
			reports++
		}
	})
	var all []byte
	for p := make([]byte, size); err == nil; {
		var n int
		n, err = r.Read(p)
		all = append(all, p[:n]...)
	}
	if err == io.EOF {
		err = nil
	}
	return string(all), reports, err
}

var forms = []form{{}, {JSON: true}, {Null: true}, {JSON: true, Null: true}}

// lines returns n lines in the form f.
func (f form) lines(n int) string {
	var b strings.Builder
	for i := range n {
		switch {
		case f.JSON:
			fmt.Fprintf(&b, `{"id":"%d","#doppel":"bb"}`, i)
		default:
			fmt.Fprintf(&b, "%d\tabba\t#doppel seal", i)
		}
		b.WriteByte(f.lineEnd())
	}
	return b.String()
}

// TestWhole checks that a Reader returns sealed lines unchanged, even if several files, sealed or
// not, were joined.
func TestWhole(t *testing.T) {
	for _, f := range forms {
		for _, n := range []int{0, 1, 2, 30} {
			a, b, plain := f.lines(n), f.lines(n/2), f.lines(3)
			for text, want := range map[string]string{
				"": "", plain: plain,
				sealed(f, a):                                        a,
				sealed(f, a) + sealed(f, b):                         a + b,
				sealed(f, a) + plain:                                a + plain,
				plain + sealed(f, a):                                plain + a,
				plain + sealed(f, a) + plain + "no end":             plain + a + plain + "no end",
				sealed(f, a+"no end"):                               a + "no end",
				sealed(f, sealed(f, a)):                             sealed(f, a),
				strings.Repeat("long", 99) + "\n" + plain + "#dopp": strings.Repeat("long", 99) + "\n" + plain + "#dopp",
			} {
				for _, size := range []int{1, 7, 1 << 16} {
					if got, _, err := read(text, false, size); got != want || err != nil {
						t.Fatalf("%+v, %d bytes at once: %q: %q, %v", f, size, text, got, err)
					}
				}
			}
		}
	}
}

// TestBroken checks that a Reader reports each flipped bit, each missing tail and each swap of
// two lines in a file.
func TestBroken(t *testing.T) {
	for _, f := range forms {
		text := sealed(f, f.lines(4))
		rest := strings.SplitAfter(text[f.sealBytes():], string(f.lineEnd()))
		swapped := text[:f.sealBytes()] + rest[2] + rest[1] + rest[0] + rest[3]
		broken := []string{swapped, sealed(f, f.lines(3)) + swapped, swapped + sealed(f, f.lines(3))}
		for i := len(object); i < len(text); i++ { // an earlier change would hide the seal
			broken = append(broken, text[:i])
			for bit := range 8 {
				x := []byte(text)
				x[i] ^= 1 << bit
				broken = append(broken, string(x))
			}
		}
		for _, x := range broken {
			for _, size := range []int{1, 1 << 16} {
				if _, _, err := read(x, false, size); !errors.As(err, new(*Broken)) {
					t.Fatalf("%+v: %q: %v", f, x, err)
				}
			}
		}
	}
}

// TestPipe checks that a Reader of a pipe accepts joined and sorted files, wherever sorting put
// the seals, and that it reports a change once.
func TestPipe(t *testing.T) {
	for _, f := range forms {
		text := sealed(f, f.lines(9)) + sealed(f, f.lines(5)) + sealed(f, "")
		lines := strings.SplitAfter(strings.TrimSuffix(text, string(f.lineEnd())), string(f.lineEnd()))
		lines[len(lines)-1] += string(f.lineEnd())
		var all []string
		for _, line := range lines {
			if !strings.Contains(line, "sealed lines=") {
				all = append(all, line)
			}
		}
		slices.Sort(all)
		for range 20 {
			rand.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			check := func(lines, want []string, reports int) {
				t.Helper()
				got, n, err := read(strings.Join(lines, ""), true, 1+rand.IntN(99))
				parts := strings.SplitAfter(got, string(f.lineEnd()))
				parts = parts[:len(parts)-1]
				slices.Sort(parts)
				if !slices.Equal(parts, want) || n != reports || err != nil {
					t.Fatalf("%+v: %q: %q, %d, %v", f, lines, got, n, err)
				}
			}
			check(lines, all, 0)
			check(append(slices.Clone(lines), all[0]), slices.Insert(slices.Clone(all), 0, all[0]), 1)
			i := slices.Index(lines, all[3])
			check(slices.Delete(slices.Clone(lines), i, i+1), slices.Delete(slices.Clone(all), 3, 4), 1)
		}
	}
}

// TestStreamError checks that reading fails if the underlying stream returns an error.
func TestStreamError(t *testing.T) {
	text := sealed(form{}, "a\nb\n")
	for n := range len(text) {
		in := io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(io.ErrClosedPipe))
		if _, err := io.ReadAll(NewReader(bufio.NewReader(in), false, false, func(string) {})); err == nil {
			t.Errorf("%d bytes: no error", n)
		}
	}
}

// FuzzReader checks that a Reader returns lines unchanged, with or without a seal, and that it
// reports lines that do not match their seal.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\nc\n"), false)
	f.Add([]byte(`{"a":1}`+"\n"), []byte(""), true)
	f.Add(form{}.sealLine(content{}), form{JSON: true}.sealLine(content{}), true)
	f.Add([]byte{}, []byte("#doppel sealed lines=-00000000000001 bytes=-00000000000001 sum=0000000000000000 xxh64=0000000000000000\n"), false)
	f.Fuzz(func(t *testing.T, lines, others []byte, json bool) {
		kind := form{JSON: json}
		text := sealed(kind, string(lines))
		if got, _, err := read(text, false, 16); got != string(lines) || err != nil {
			t.Fatalf("%q: %q, %v", text, got, err)
		}
		changed := text[:kind.sealBytes()] + string(others)
		_, _, err := read(changed, false, 16)
		if !bytes.HasPrefix(others, lines) && err == nil {
			t.Fatalf("%q for %q: no error", others, lines)
		}
		if !bytes.Contains(others, []byte("#doppel")) {
			if got, reports, err := read(string(others), true, 16); got != string(others) || reports > 0 || err != nil {
				t.Fatalf("%q: %q, %d, %v", others, got, reports, err)
			}
		}
		if got, reports, err := read(text, true, 16); !bytes.Contains(append(lines, others...), []byte("#doppel")) && !bytes.Contains(lines, []byte{0}) && (got != string(lines) || reports > 0 || err != nil) {
			t.Fatalf("%q in a pipe: %q, %d, %v", text, got, reports, err)
		}
		read(changed, true, 16)
	})
}
