package utf

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDecode compares Decode and Len with package unicode/utf8.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a", "é", "éa", "жук", "中文", "\xed\xa0\x80", "\xe0\x80\x80", "\xc0\x80a", "😀", "\xf4\x90\x80\x80", "\xe4\xb8", "\xff\xfe\xfd"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		for {
			r, size := Decode(p)
			if wr, ws := utf8.DecodeRune(p); r != wr || size != ws {
				t.Fatalf("%q: %q of %d bytes, want %q of %d", p, r, size, wr, ws)
			}
			if size == 0 {
				return
			}
			if n := Len(p); n != size {
				t.Fatalf("%q: %d bytes, want %d", p, n, size)
			}
			p = p[size:]
		}
	})
}

// TestDecode compares Decode with package unicode/utf8 for every character and for all sequences of
// three bytes that do not begin with ASCII.
func TestDecode(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		p := append(utf8.AppendRune(nil, r), "ab"...)
		got, size := Decode(p)
		if want, n := utf8.DecodeRune(p); got != want || size != n {
			t.Fatalf("%U: %U of %d bytes, want %U of %d", r, got, size, want, n)
		}
	}
	for n := 0x80_00_00; n <= 0xff_ff_ff; n++ { // the first byte is above ASCII
		p := []byte{byte(n >> 16), byte(n >> 8), byte(n)}
		got, size := Decode(p)
		if want, ws := utf8.DecodeRune(p); got != want || size != ws {
			t.Fatalf("% x: %U of %d bytes, want %U of %d", p, got, size, want, ws)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, s := range map[string]string{"Cyrillic": "жук", "Chinese": "中文本"} {
		p := []byte(strings.Repeat(s, 1000))
		for how, decode := range map[string]func([]byte) (rune, int){"here": Decode, "utf8": utf8.DecodeRune} {
			b.Run(name+"/"+how, func(b *testing.B) {
				b.SetBytes(int64(len(p)))
				for b.Loop() {
					for i := 0; i < len(p); {
						_, n := decode(p[i:])
						i += n
					}
				}
			})
		}
	}
}
