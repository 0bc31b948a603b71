package quality

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/text/utf"
)

// The functions whose names begin with "plain" implement the definitions in the package comment
// directly.

func plainWords(s string) (words []string) {
	for _, run := range strings.FieldsFunc(s, unicode.IsSpace) {
		for len(run) > 0 {
			i, size := indexLone(run)
			if w := strings.TrimFunc(run[:i], isTrimmed); w != "" {
				words = append(words, plainLower(w))
			}
			if size > 0 {
				words = append(words, run[i:i+size])
			}
			run = run[i+size:]
		}
	}
	return words
}

func indexLone(s string) (at, size int) {
	for i, r := range s {
		if plainClass(r) == lone {
			return i, utf8.RuneLen(r)
		}
	}
	return len(s), 0
}

// plainClass is a simple implementation of classOf, without flags.
func plainClass(r rune) class {
	switch {
	case r == utf8.RuneError:
		return other
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r) && unicode.In(r, utf.Spaceless...):
		return lone
	case unicode.IsMark(r) && unicode.In(r, utf.Spaceless...):
		return loneMark
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return wordChar
	}
	return other
}

func isTrimmed(r rune) bool { return plainClass(r) != wordChar }

// plainLower returns s in lower case, with invalid bytes unchanged.
func plainLower(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r == utf8.RuneError {
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size])
		} else {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func plainGrams(words []string, n int) (c gramCount) {
	repeated, topChars, dupChars := 0, 0, 0
	counts, order := map[string]int{}, []string{}
	for i := 0; i+n <= len(words); i++ {
		g := strings.Join(words[i:i+n], " ")
		if counts[g]++; counts[g] == 1 {
			order = append(order, g)
		} else {
			repeated++
		}
	}
	most := 1
	for _, g := range order {
		if counts[g] > most {
			most, topChars = counts[g], counts[g]*utf8.RuneCountInString(g)
		}
	}
	seen, dup := map[string]bool{}, make([]bool, len(words))
	for i := 0; i+n <= len(words); i++ {
		g := strings.Join(words[i:i+n], " ")
		for j := i; seen[g] && j < i+n; j++ {
			dup[j] = true
		}
		seen[g] = true
	}
	for i, w := range words {
		if dup[i] {
			dupChars += utf8.RuneCountInString(w)
		}
	}
	c.repeated.set(repeated)
	c.topChars.set(topChars)
	c.dupChars.set(dupChars)
	return c
}

var samples = []string{
	"", " \t\n", "a", "!!!", "The cat. The CAT! the cat\n", "don't stop — don't STOP",
	"Ça ira, ÇA IRA; l’été ÉTÉ", "Москва МОСКВА москва.", "中文 文字，中文。", "ภาษาไทย ก็ดี", "हिन्दी में लिखा हुआ",
	"한국어 문장입니다.", "x\xffy \xc3 z\xe2\x82", "a b a b a b a b", "to be or not to be or not to be or not to be",
	"one\u00a0two\u2003three\u0085four", "İstanbul ſ K k",
	strings.Repeat("all work and no play makes jack a dull boy ", 9),
}

func checkWords(t *testing.T, s string) {
	t.Helper()
	var x Text
	x.Set([]byte(s))
	x.scan()
	want := plainWords(s)
	var got []string
	for _, w := range x.words {
		got = append(got, plainLower(string(x.bytesOf(w))))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("words of %q (-plain +got):\n%s", s, d)
	}
	byHash := map[uint64]string{}
	for i, w := range x.words {
		if was, ok := byHash[w.hash]; ok && was != want[i] {
			t.Fatalf("%q: %q and %q have one hash", s, was, want[i])
		}
		byHash[w.hash] = want[i]
	}
	unique := map[string]bool{}
	for i, w := range want {
		unique[w] = true
		if got := x.charsOf(i, i+1); got != utf8.RuneCountInString(w) {
			t.Fatalf("%q: word %q has %d characters", s, w, got)
		}
	}
	if len(unique) != len(byHash) {
		t.Fatalf("%q: %d different words, %d hashes", s, len(unique), len(byHash))
	}
	if x.chars != utf8.RuneCountInString(s) {
		t.Fatalf("%q: %d characters", s, x.chars)
	}
}

func checkGrams(t *testing.T, s string) {
	t.Helper()
	var x Text
	for _, order := range [][]int{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {3, 4, 2, 10, 5}} {
		x.Set([]byte(s))
		for _, n := range order {
			x.repeated(n)
			x.dupChars(n)
			x.topChars(n)
			if d := cmp.Diff(plainGrams(plainWords(s), n), x.grams.done[n], cmp.AllowUnexported(gramCount{})); d != "" {
				t.Fatalf("%d-grams of %q, in order %v (-plain +got):\n%s", n, s, order, d)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	for _, s := range samples {
		checkWords(t, s)
		checkGrams(t, s)
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range samples {
		f.Add(s)
	}
	f.Fuzz(checkWords)
}

// FuzzGrams checks the n-grams of texts that consist of at most four distinct words, so that
// n-grams repeat.
func FuzzGrams(f *testing.F) {
	f.Add("abcabcabcabc", uint8(3))
	f.Add("aaaaaaaaaaaaaaaaaaaaaaaaa", uint8(1))
	f.Fuzz(func(t *testing.T, letters string, few uint8) {
		var b strings.Builder
		for _, c := range []byte(letters) {
			b.WriteString([]string{"a ", "bb ", "ccc ", "é "}[c%min(max(few, 1), 4)])
		}
		checkGrams(t, b.String())
	})
}

func plainEnoughWords(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' })
	for _, w := range words {
		if utf8.RuneCountInString(w) > 1000 {
			return false
		}
	}
	return len(words) >= 3
}

func plainSentences(s string) (n int) {
	open := false
	for i := range len(s) {
		open = true
		if strings.Contains(".?!", s[i:i+1]) && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '[') {
			n++
			open = false
		}
	}
	if open {
		n++
	}
	return n
}

func checkLine(t *testing.T, s string) {
	t.Helper()
	if got, want := enoughWords([]byte(s)), plainEnoughWords(s); got != want {
		t.Fatalf("%q has enough words: %v", s, got)
	}
	if got, want := sentences([]byte(s)), plainSentences(s); got != want {
		t.Fatalf("%q has %d sentences, want %d", s, got, want)
	}
	for _, n := range []int{0, 1, 30} {
		if got, want := isShort([]byte(s), n), utf8.RuneCountInString(s) <= n; got != want {
			t.Fatalf("%q has at most %d characters: %v", s, n, got)
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range samples {
		f.Add(s, uint16(0))
	}
	f.Add("One. two? three! [1] four.", uint16(3))
	f.Add("a b ", uint16(1001))
	f.Fuzz(func(t *testing.T, s string, n uint16) {
		checkLine(t, s)
		checkLine(t, s+strings.Repeat("漢", int(n)%1100)+s)
		checkLine(t, s+strings.Repeat("e", int(n)%1100)+s)
	})
}

// TestClasses compares classOf, lower and decode with package unicode for all characters.
func TestClasses(t *testing.T) {
	for b, got := range asciiClass[:utf8.RuneSelf] {
		if want := plainClass(rune(b)); got != want {
			t.Fatalf("%#x: class %d, want %d", b, got, want)
		}
	}
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		c := classOf(r)
		if got, want := c&classBits, plainClass(r); got != want {
			t.Fatalf("%U: class %d, want %d", r, got, want)
		}
		if got, want := c&cased != 0, unicode.ToLower(r) != r; got != want {
			t.Fatalf("%U: cased is %v", r, got)
		}
		if got, want := c&alphabet != 0, unicode.IsLetter(r); got != want {
			t.Fatalf("%U: alphabet is %v", r, got)
		}
		if c&cased != 0 && lower(r) != unicode.ToLower(r) {
			t.Fatalf("%U: lower case %U", r, lower(r))
		}
		if utf8.ValidRune(r) {
			if got, size := decode([]byte(string(r) + "a")); got != c || size != utf8.RuneLen(r) {
				t.Fatalf("%U: decoded as %d of %d bytes", r, got, size)
			}
		}
	}
}

// TestSetAgain checks that measurements with a reused Text are the same as with a new one.
func TestSetAgain(t *testing.T) {
	var again Text
	for range 2 {
		for _, s := range samples {
			again.Set([]byte(s))
			var fresh Text
			fresh.Set([]byte(s))
			for _, m := range Metrics {
				a, b := m.Measure(&again), m.Measure(&fresh)
				if a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
					t.Errorf("%s of %q: %v, and %v after other texts", m.Name, s, b, a)
				}
			}
		}
	}
}

func TestTableWraps(t *testing.T) {
	var x table
	x.reset(4)
	x.add(7)
	x.use = 1<<32 - 1
	for i := range x.slots {
		x.slots[i].use = 1 // the first use after the counter wraps
	}
	x.reset(4)
	if n := x.add(7); n != 1 {
		t.Errorf("count %d in an empty table", n)
	}
}
