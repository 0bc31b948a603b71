package matchsub

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"doppel/pkg/line"
	"doppel/pkg/substr"
	"doppel/pkg/tool"
)

// parseArgs returns the options for these arguments.
func parseArgs(args ...string) (*Options, error) {
	o := Default()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Flags(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &o, o.Check()
}

func TestCheck(t *testing.T) {
	const (
		shown   = "--show cannot be used with --matches, --bytes, --all-matches, --header or --json"
		records = "--field, --id, --lines and -H need --records"
	)
	for args, want := range map[string]string{
		"":                           "",
		"--show --difflib --width=7": "",
		"--records=f -H --field=a":   "",
		"--matches=0 --json":         "",
		"--threshold=0":              "--threshold 0: want 1 or more",
		"--matches=-2":               "--matches -2: want 0 or more",
		"--all-matches -n 262145":    "--matches 262145: want at most 262144 with --all-matches",
		"--most=-1":                  "--most -1: want 0 or more",
		"--difflib --all-matches":    "--difflib and --all-matches cannot be used together",
		"--show --bytes":             shown,
		"--show --all-matches":       shown,
		"--show --header":            shown,
		"--show --json":              shown,
		"--show --matches=3":         shown,
		"--show --color=red":         `--color "red": want auto, always or never`,
		"--show --width=6":           "--width 6: want 7 or more",
		"--color=never":              "--color and --width need --show",
		"--width=80":                 "--color and --width need --show",
		"--field=a":                  records,
		"--id=a":                     records,
		"--lines":                    records,
		"-H":                         records,
	} {
		got := ""
		if _, err := parseArgs(strings.Fields(args)...); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// runMatcher compares two texts. It returns all output, and the size of its first piece, which is
// formatted before anything is written.
func runMatcher(t *testing.T, o *Options, a, b string) (piece int, out []byte) {
	t.Helper()
	piece, out, _ = runAll(t, o, a, b)
	return piece, out
}

func runMost(t *testing.T, o *Options, a, b string) ([]byte, excess) {
	t.Helper()
	_, out, left := runAll(t, o, a, b)
	return out, left
}

func runAll(t *testing.T, o *Options, a, b string) (piece int, out []byte, left excess) {
	t.Helper()
	var buf bytes.Buffer
	e := &tool.Env{Out: bufio.NewWriter(&buf)}
	texts := map[string]string{"a": a, "b": b}
	from := func(name []byte) ([]byte, error) { return []byte(texts[string(name)]), nil }
	r := newMatcher(e, o, from, nil, asBytes).matchPair(pair{Pair: line.Pair{A: []byte("a"), B: []byte("b")}})
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
	return len(r.out), buf.Bytes(), r.left
}

// plainLines returns the lines of the maximal matches, all of which it holds in memory.
func plainLines(a, b string, o *Options) (out []byte) {
	var found []substr.Match
	substr.Maximal([]byte(a), []byte(b), o.Threshold, func(m substr.Match) error { found = append(found, m); return nil })
	l := &lines[byte]{codec: asBytes, sides: sides[byte]{Pair: line.Pair{A: []byte("a"), B: []byte("b")}, a: []byte(a), b: []byte(b)}}
	for _, m := range substr.Largest(found, o.Matches) {
		out, _ = l.append(out, nil, m)
	}
	return out
}

// The lines of a pair are formatted in pieces. If all lines were held in memory, they would take
// far more memory than the texts.
func TestPieces(t *testing.T) {
	o := Default()
	o.AllMatches, o.Most = true, 0
	a, b := strings.Repeat("a", 3000), strings.Repeat("a", 2000)
	first, out := runMatcher(t, &o, a, b)
	if first >= pieceBytes+len(b)+100 || len(out) < 4*pieceBytes {
		t.Errorf("%d bytes at once, of %d", first, len(out))
	}
	if !bytes.Equal(out, plainLines(a, b, &o)) {
		t.Error("the lines are others")
	}
}

// The option Most limits the output of a pair, and so does maxHeld. The largest matches are written,
// and the others are counted.
func TestMostMatches(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	letters := make([]byte, 2000)
	for i := range letters {
		letters[i] = 'a' + byte(random.IntN(2))
	}
	for name, text := range map[string]string{"held": strings.Repeat("a", 3000), "crowd": string(letters)} {
		o := Default()
		o.AllMatches, o.Threshold, o.Most = true, 1, 0
		want := plainLines(text, text, &o)
		for most, atLeast := range map[int]int{1: minSymbols, 16: minSymbols, 600: 600 * len(text)} {
			o.Most = most
			out, left := runMost(t, &o, text, text)
			written, sum := bytes.Count(out, []byte{'\n'}), int64(0)
			for i, l := range bytes.SplitAfter(want, []byte{'\n'}) {
				if len(l) > 0 && i >= written {
					left.matches--
					left.text -= sizeColumn(l)
				} else if len(l) > 0 {
					sum += sizeColumn(l)
				}
			}
			if !bytes.HasPrefix(want, out) || left != (excess{}) || sum > int64(atLeast) || written < maxHeld && sum < int64(atLeast-len(text)) {
				t.Errorf("%s, most %d: %d matches of %d symbols; left %+v", name, most, written, sum, left)
			}
		}
	}
}

// sizeColumn returns the number in the last column of a line.
func sizeColumn(l []byte) (n int64) {
	fmt.Sscan(string(l[bytes.LastIndexByte(l, '\t')+1:]), &n)
	return n
}

// TestLargest checks that the largest matches are found in the order of a stable sort, however many
// are held, and that the others are counted.
func TestLargest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		a, b := make([]byte, random.IntN(40)), make([]byte, random.IntN(40))
		for _, text := range [][]byte{a, b} {
			for i := range text {
				text[i] = byte(random.IntN(2))
			}
		}
		o, n := Default(), 1+random.IntN(30)
		o.Threshold = 1 + random.IntN(3)
		m := &matcher[byte]{o: &o}
		found, left := m.largest(sides[byte]{a: a, b: b}, n)
		found = substr.Largest(found, all)
		var want []substr.Match
		substr.Maximal(a, b, o.Threshold, func(m substr.Match) error { want = append(want, m); return nil })
		want = substr.Largest(want, all)
		for _, rest := range want[min(n, len(want)):] {
			left.add(rest.Size, -1)
		}
		if want = want[:min(n, len(want))]; !slices.Equal(found, want) || left != (excess{}) {
			t.Fatalf("%v %v: %v, want %v; %v left", a, b, found, want, left)
		}
	}
}
