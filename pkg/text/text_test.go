package text

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNormalized(t *testing.T) {
	for _, tc := range []struct {
		how      Normalization
		in, want string
	}{
		{Balanced, "The  quick, BROWN\tfox!", "the quick brown fox"},
		{Balanced, "snake_case and l'été", "snake_case and l été"},
		{Balanced, "ÉCOLE ÀÉ", "école àé"},
		{Balanced, "漢字かなx", "漢 字 か な x"},
		{Balanced, "ไทย", "ไ ท ย"},
		{Balanced, "a\xffb", "a b"},
		{Balanced, " \n ", ""},
		{Balanced, strings.Repeat("Ab-", 50), strings.TrimSpace(strings.Repeat("ab ", 50))},
		{Conservative, "The  quick, BROWN\tfox!", "the quick, brown fox!"},
		{Conservative, "a\xffb C", "a\xffb c"},
		{Aggressive, "ﬁne x²", "fine x2"},
		{None, "As  It Is\n", "As  It Is\n"},
	} {
		s := NewShingler(Options{Default.Shingle, tc.how})
		if got := string(s.Normalized(nil, []byte(tc.in))); got != tc.want {
			t.Errorf("%v of %q: %q, want %q", tc.how, tc.in, got, tc.want)
		}
	}
}

func TestShinglingSet(t *testing.T) {
	for _, v := range []string{"w1", "w3", "c5", "c64"} {
		var s Shingling
		if err := s.Set(v); err != nil || s.String() != v {
			t.Errorf("Set(%q): %v, %v", v, s, err)
		}
	}
	for _, v := range []string{"", "w", "w0", "w65", "x3", "3", "w03", "w-1", "w+3"} {
		if err := new(Shingling).Set(v); err == nil {
			t.Errorf("Set(%q): no error", v)
		}
	}
}

// TestShortTexts checks that each text of one to N words has a single shingle, and that these
// shingles differ.
func TestShortTexts(t *testing.T) {
	s := NewShingler(Options{Shingling{Words, 3}, Balanced})
	seen := map[uint64]string{}
	for _, in := range []string{"a", "b", "a b", "b a", "a b c", "aa", "ab"} {
		h := s.Append(nil, []byte(in))
		if len(h) != 1 {
			t.Fatalf("%q has %d shingles, want 1", in, len(h))
		}
		if other, ok := seen[h[0]]; ok {
			t.Errorf("%q and %q share a shingle", in, other)
		}
		seen[h[0]] = in
	}
	if h := s.Append(nil, []byte(" ,.")); len(h) != 0 {
		t.Errorf("a text without words has %d shingles", len(h))
	}
}

// allOptions combines each of several shinglings with each normalization.
func allOptions() (all []Options) {
	for _, sh := range []string{"w1", "w2", "w3", "w5", "c1", "c3", "c5", "c9", "c16"} {
		for how := None; how <= Aggressive; how++ {
			o := Options{Normalize: how}
			if err := o.Shingle.Set(sh); err != nil {
				panic(err)
			}
			all = append(all, o)
		}
	}
	return all
}

// TestPlain compares Append with Shingler.plain for all texts of up to three characters from a
// list, and for each character of the list at every offset from a block boundary. The list has one
// character of each kind.
func TestPlain(t *testing.T) {
	kinds := []string{"a", "Z", "5", "_", " ", "-", "é", "İ", "漢", "\xe6", "\x00", "𝒳"}
	texts := []string{""}
	for range 3 {
		for _, p := range texts[:len(texts):len(texts)] {
			for _, k := range kinds {
				texts = append(texts, p+k)
			}
		}
	}
	pad := strings.Repeat("word Next, ", 20)
	for i := range 70 {
		for _, k := range kinds {
			texts = append(texts, pad[:i]+k+pad)
		}
	}
	withAndWithoutAssembly(t, func(t *testing.T) {
		for _, o := range allOptions() {
			if !fast && o.Shingle.N != 3 {
				continue // the code that replaces the assembly does not depend on N
			}
			s := NewShingler(o)
			for _, text := range texts {
				comparePlain(t, s, text)
			}
		}
	})
}

// withAndWithoutAssembly runs a test with the assembly, if the processor supports it, and again
// with the Go code that replaces the assembly.
func withAndWithoutAssembly(t *testing.T, test func(t *testing.T)) {
	was := fast
	defer func() { fast = was }()
	test(t)
	if fast {
		fast = false
		test(t)
	}
}

func comparePlain(t *testing.T, s *Shingler, text string) {
	t.Helper()
	if got, want := s.Append(nil, []byte(text)), s.plain(text); !slices.Equal(got, want) {
		t.Fatalf("%v %v of %q: %x, want %x", s.opt.Shingle, s.opt.Normalize, text, got, want)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("The quick brown fox. " + strings.Repeat("L'été à la plage, 漢字! ", 9))
	for _, s := range samples {
		f.Add(s.text)
	}
	var all []*Shingler
	for _, o := range allOptions() {
		all = append(all, NewShingler(o))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range all {
			comparePlain(t, s, text)
		}
	})
}

// TestVectors compares hashes with those in testdata/vectors/shingles.tsv. If UPDATE is set in the
// environment, it rewrites the file.
func TestVectors(t *testing.T) {
	const name = "../../testdata/vectors/shingles.tsv"
	texts := []string{"", "a", "The cat sat in the hat.", "the CAT sat", "naïve café au lait", "漢字かな交じり文", "x_1 y-2 \U0001F600 z", "internationalization considered harmful indeed"}
	var got strings.Builder
	got.WriteString("# shingling normalization text hashes\n")
	for _, o := range allOptions() {
		for _, text := range texts {
			got.WriteString(o.Shingle.String() + "\t" + o.Normalize.String() + "\t" + strconv.Quote(text) + "\t")
			for i, h := range NewShingler(o).Append(nil, []byte(text)) {
				if i > 0 {
					got.WriteByte(' ')
				}
				got.WriteString(strconv.FormatUint(h, 16))
			}
			got.WriteByte('\n')
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}

// shuffled returns n random words of sentences. If the benchmark repeated the text instead, the
// branch predictor would learn it.
func shuffled(sentences string, n int) []byte {
	r, words := rand.New(rand.NewPCG(1, 1)), strings.Fields(sentences)
	var b []byte
	for range n {
		b = append(append(b, words[r.IntN(len(words))]...), ' ')
	}
	return b
}

func BenchmarkAppend(b *testing.B) {
	english := shuffled("It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, "+
		"it was the epoch of belief, it was the epoch of incredulity; we were all going direct to Heaven, in short, the period was so far "+
		"like the present period, that some of its noisiest authorities insisted on its being received in the superlative degree of comparison only.", 20000)
	french := shuffled("C'était le meilleur et le pire de tous les temps, l'âge de la sagesse et l'âge de la folie, l'ère de la foi et l'ère de "+
		"l'incrédulité, la saison de la lumière et la saison des ténèbres, le printemps de l'espérance et l'hiver du désespoir.", 20000)
	for name, text := range map[string][]byte{"english": english, "french": french} {
		for _, o := range []Options{Default, {Shingling{Words, 5}, Balanced}, {Shingling{Chars, 5}, Balanced}, {Shingling{Words, 3}, Conservative}} {
			b.Run(name+"/"+o.Shingle.String()+"/"+o.Normalize.String(), func(b *testing.B) {
				s := NewShingler(o)
				var dst []uint64
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					dst = s.Append(dst[:0], text)
				}
			})
		}
	}
}
