package fuzzysum

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

func sum(t testing.TB, text []byte, o Options) Result {
	t.Helper()
	h, err := NewHasher(o)
	if err != nil {
		t.Fatal(err)
	}
	h.Write(text)
	return h.Result()
}

// A vector is a test vector, one line of testdata/vectors/fuzzysum.tsv.
type vector struct {
	opts Options
	sum  string
	kind string
	text []byte
}

func vectors(t testing.TB) (all []vector) {
	t.Helper()
	f, err := os.Open("../../testdata/vectors/fuzzysum.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		all = append(all, parseVector(t, lines.Text()))
	}
	return all
}

func parseVector(t testing.TB, line string) (v vector) {
	t.Helper()
	col := strings.Split(line, "\t")
	text, err := strconv.Unquote(col[6])
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if _, err := fmt.Sscan(strings.Join(col[:4], " "), &v.opts.Confidence, &v.opts.Reading, &v.opts.Words, &v.opts.MinWords); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	v.sum, v.kind, v.text = col[4], col[5], []byte(text)
	return v
}

// TestVectors compares computed sums with the test vectors. Each text is written in pieces of every
// size.
func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		h, err := NewHasher(v.opts)
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= len(v.text)+1; size++ {
			h.Reset()
			for chunk := range chunks(v.text, size) {
				h.Write(chunk)
			}
			if r := h.Result(); r.Sum.String() != v.sum || r.Kind.String() != v.kind {
				t.Fatalf("%+v %.40q by %d bytes: %v %v, want %v %v", v.opts, v.text, size, r.Sum, r.Kind, v.sum, v.kind)
			}
		}
		if got := plainSum(v.text, v.opts).String(); got != v.sum {
			t.Errorf("%+v %.40q: the oracle says %v, want %v", v.opts, v.text, got, v.sum)
		}
	}
}

func chunks(text []byte, size int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(text) > size {
			if !yield(text[:size]) {
				return
			}
			text = text[size:]
		}
		yield(text)
	}
}

func TestStudentT(t *testing.T) {
	for _, c := range []struct {
		confidence float64
		reading    Reading
		want       float64
	}{
		{0, TwoSided, 0},
		{50, TwoSided, 0.676426},
		{60, TwoSided, 0.844461},
		{68.27, TwoSided, 1.003974},
		{95, TwoSided, 1.978820},
		{99, TwoSided, 2.615096},
		{100, TwoSided, math.Inf(1)},
		{0, OneSided, math.Inf(-1)},
		{40, OneSided, -0.253878},
		{50, OneSided, 0},
		{60, OneSided, 0.253878},
		{99, OneSided, 2.356069},
		{100, OneSided, math.Inf(1)},
	} {
		if got := studentT(c.confidence, c.reading); got != c.want && math.Abs(got-c.want) > 1e-6 {
			t.Errorf("studentT(%v, %v) = %v, want %v", c.confidence, c.reading, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		edit func(*Options)
		good bool
	}{
		{func(o *Options) {}, true},
		{func(o *Options) { o.Confidence = 0 }, true},
		{func(o *Options) { o.Confidence = 100 }, true},
		{func(o *Options) { o.Confidence = 100.5 }, false},
		{func(o *Options) { o.Confidence = -1 }, false},
		{func(o *Options) { o.Confidence = math.NaN() }, false},
		{func(o *Options) { o.Words = 0 }, false},
		{func(o *Options) { o.Words = MaxWords }, true},
		{func(o *Options) { o.Words = MaxWords + 1 }, false},
		{func(o *Options) { o.MinWords = -1 }, false},
	} {
		o := Default()
		c.edit(&o)
		if _, err := NewHasher(o); (err == nil) != c.good {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

const story = `The sum of a message should not change when somebody sends it twice, when a
relay folds its lines, or when a list adds its own footer below. Forty words will do
for that, if most of them differ from one another; here they are.`

// TestSame checks that re-wrapping, quoting, upper case and another word order do not change the
// sum of a message.
func TestSame(t *testing.T) {
	want := sum(t, []byte(story), Default())
	if want.Kind != Fuzzy {
		t.Fatalf("%+v", want)
	}
	for name, text := range map[string]string{
		"wrapped":     strings.Join(strings.Fields(story), "\r\n"),
		"upper case":  strings.ToUpper(story),
		"quoted":      "> " + strings.ReplaceAll(story, "\n", "\n> "),
		"other order": strings.Join(append(strings.Fields(story)[9:], strings.Fields(story)[:9]...), " "),
	} {
		if got := sum(t, []byte(text), Default()); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestShort checks that short texts that differ in one character have different sums, and that
// texts of white space have the sum Empty.
func TestShort(t *testing.T) {
	seen := map[Sum]string{}
	for _, text := range []string{"", "!", "?", "yes", "no", "yes!", "yes?", "C++", "C#", "\xff", "\xfe", "\x00", "\ufffd", "1", "2"} {
		r := sum(t, []byte(text), Default())
		if !r.Sum.Exact() || r.Kind != Text {
			t.Errorf("%q: %v %v: not the digest of a text", text, r.Sum, r.Kind)
		}
		if other, ok := seen[r.Sum]; ok {
			t.Errorf("%q and %q share a sum", text, other)
		}
		seen[r.Sum] = text
	}
	for _, text := range []string{"", " \r\n\t ", "\u00a0\u2003\n"} {
		if r := sum(t, []byte(text), Default()); r.Sum != Empty {
			t.Errorf("%q: %v, want %v", text, r.Sum, Empty)
		}
	}
}

// TestNothingStandsOut checks that the sum is a digest of the counts if no bucket or every bucket
// exceeds the threshold.
func TestNothingStandsOut(t *testing.T) {
	for _, o := range []Options{
		{Confidence: 100, Words: 1},
		{Confidence: 0, Reading: OneSided, Words: 1},
		{Confidence: 99.9999999, Words: 1},
	} {
		a, b := sum(t, []byte(story), o), sum(t, []byte(story+" more"), o)
		if a.Kind != Counts || b.Kind != Counts || !a.Sum.Exact() || a.Sum == b.Sum {
			t.Errorf("%+v: %v and %v", o, a, b)
		}
	}
}

// TestMarkIsTakenBack checks that a fuzzy sum that starts with the mark of a digest is replaced by
// a digest. The test sets the counts directly, because no text with such a sum is known.
func TestMarkIsTakenBack(t *testing.T) {
	h, _ := NewHasher(Options{Words: 1})
	for i, digit := range []uint64{0xe, 8, 0xa, 0xc, 7} {
		for j := range 4 {
			h.counter.counts[4*i+j] = digit >> (3 - j) & 1
		}
	}
	h.counter.words = 11
	if r := h.Result(); r.Kind != Counts || r.Sum.String()[5:] == strings.Repeat("0", 27) {
		t.Errorf("%v %v", r.Sum, r.Kind)
	}
}

// TestBucketsAreEven checks that words of three letters are spread evenly over the buckets,
// although their FNV-1a hashes differ in few bits.
func TestBucketsAreEven(t *testing.T) {
	h, _ := NewHasher(Options{Words: 1})
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			for c := 'a'; c <= 'z'; c++ {
				fmt.Fprintf(h, "%c%c%c ", a, b, c)
			}
		}
	}
	h.Result()
	const mean = 26 * 26 * 26 / Buckets
	for i, n := range h.counter.counts {
		if math.Abs(float64(n)-mean) > 5*math.Sqrt(mean) {
			t.Errorf("bucket %d has %d words, the mean is %d", i, n, mean)
		}
	}
}

func TestParse(t *testing.T) {
	const digits = "0123456789abcdef0123456789abcdef"
	for text, want := range map[string]error{
		digits:                  nil,
		strings.ToUpper(digits): nil,
		digits[1:]:              ErrSum,
		digits + "0":            ErrSum,
		"g" + digits[1:]:        ErrSum,
		"":                      ErrSum,
	} {
		s, err := Parse([]byte(text))
		if !errors.Is(err, want) || err == nil && s.String() != digits {
			t.Errorf("Parse(%q) = %v, %v", text, s, err)
		}
	}
}

func TestDistance(t *testing.T) {
	for i := range Buckets {
		a := Sum{}
		a[i/8] = 0x80 >> (i % 8)
		if Distance(a, Sum{}) != 1 || Distance(a, ones) != Buckets-1 || Distance(a, a) != 0 {
			t.Errorf("bit %d", i)
		}
	}
}

// FuzzHasher compares the results of Hasher and of the oracle, plainSum. The text is written in two
// parts, split at an arbitrary byte.
func FuzzHasher(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.text, 5, uint8(v.opts.Words-1), uint8(v.opts.MinWords), v.opts.Confidence, v.opts.Reading == OneSided)
	}
	f.Fuzz(func(t *testing.T, text []byte, cut int, words, least uint8, confidence float64, oneSided bool) {
		o := Options{Confidence: confidence, Words: int(words)%MaxWords + 1, MinWords: int(least)}
		if oneSided {
			o.Reading = OneSided
		}
		h, err := NewHasher(o)
		if err != nil {
			t.Skip()
		}
		cut = min(max(cut, 0), len(text))
		h.Write(text[:cut])
		h.Write(text[cut:])
		r := h.Result()
		if want := plainSum(text, o); r.Sum != want {
			t.Errorf("%+v: %v, want %v", o, r.Sum, want)
		}
		if r.Sum.Exact() != (r.Kind != Fuzzy) {
			t.Errorf("%v: got %v", r.Sum, r.Kind)
		}
	})
}

func BenchmarkHasher(b *testing.B) {
	english := bytes.Repeat([]byte(story+"\n"), 20)
	russian := bytes.Repeat([]byte("Сумма письма не меняется, когда его посылают дважды. "), 50)
	for _, c := range []struct {
		name  string
		text  []byte
		words int
	}{
		{"english", english, 1},
		{"english/words=5", english, 5},
		{"russian", russian, 1},
		{"binary", bytes.Repeat([]byte{0x80, 0xff, 0, 'a', 0xc3}, 1000), 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := Default()
			o.Words = c.words
			h, _ := NewHasher(o)
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				h.Reset()
				h.Write(c.text)
				h.Result()
			}
		})
	}
}
