package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestTables checks the tables against package unicode for all code points.
func TestTables(t *testing.T) {
	for how := None; how <= Balanced; how++ {
		c := classesOf(how)
		for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
			to, k := c.folded(r)
			if wantTo, want := c.classify(r); to != wantTo || k != want {
				t.Fatalf("%v, %U: %U of class %d, want %U of %d", how, r, to, k, wantTo, want)
			}
		}
	}
}

// TestEveryRune compares Append with Shingler.plain for every code point next to characters of
// other kinds. Each text has 61 code points, so that code points cross block boundaries at all
// positions.
func TestEveryRune(t *testing.T) {
	const runes = 61
	s := NewShingler(Options{Shingling{Words, 2}, Balanced})
	for first := rune(0); first <= unicode.MaxRune; first += runes {
		var b strings.Builder
		for r := first; r < first+runes; r++ {
			c := string(r)
			b.WriteString(c + " a" + c + "," + c + "б漢" + c + "Яก" + c)
		}
		comparePlain(t, s, b.String())
	}
}

// TestEveryBytes compares Append with Shingler.plain for sequences of three bytes, most of them
// invalid UTF-8, at the end of a text and inside it.
func TestEveryBytes(t *testing.T) {
	s := NewShingler(Options{Shingling{Words, 2}, Balanced})
	kinds := []byte{'a', ' ', 0x80, 0x81, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xd0, 0xdf, 0xe0, 0xe4, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff}
	pad := strings.Repeat("слово, ", 9)
	for a := 0x70; a <= 0xff; a++ {
		for _, b := range kinds {
			for _, c := range kinds {
				text := string([]byte{byte(a), b, c})
				comparePlain(t, s, text)
				comparePlain(t, s, pad[:a%60]+text+pad)
				comparePlain(t, s, "漢"+text+"\xbf\xbf"+pad)
			}
		}
	}
}

// TestScan compares the assembly of scan and look with the Go code for random bytes.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	c := classesOf(Balanced)
	c.once.Do(c.buildTables)
	for range 20000 {
		var in [mixedBytes]byte
		for i := range in {
			in[i] = byte(r.IntN(256)) >> r.IntN(2)
		}
		var got, want [blockBytes]byte
		var k, wantK kinds
		scan(&got, (*[blockBytes]byte)(in[:]), &k)
		plainScan(&want, (*[blockBytes]byte)(in[:]), &wantK)
		if got != want || k != wantK {
			t.Fatalf("% x: %x %x, want %x %x", in, got, k, want, wantK)
		}
		two, three := k.lead()&^k.three&(k.cont>>1), k.three&^k.four&(k.cont>>1)&(k.cont>>2)
		if got, want := look(&in, two, three, &c.table), plainLook(&in, two, three, &c.table); got != want {
			t.Fatalf("% x: %x, want %x", in, got, want)
		}
	}
}
