package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func compareNFKD(t *testing.T, text string) {
	t.Helper()
	got := string(decompositions.decompose(nil, []byte(text)))
	if want := norm.NFKD.String(text); got != want {
		t.Fatalf("%+q: %+q, want %+q", text, got, want)
	}
}

// TestDecomposeEvery compares decompose with x/text for every code point: alone and, in the planes
// that have decompositions, next to code points of each kind.
func TestDecomposeEvery(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		c := string(r)
		compareNFKD(t, c)
		if 0x30000 <= r {
			continue
		}
		compareNFKD(t, "a"+c+"\u0301é"+c+"\u0323"+c+"각"+c+"\u0345x漢"+c)
	}
}

// TestDecomposeRuns compares decompose with x/text for random sequences of inert and other code
// points, marks and invalid bytes.
func TestDecomposeRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	kinds := strings.Split("a|é|\u0301|\u0323|\u0345|ệ|각|ᅡ|ᆨ|ﬁ|\u0344|漢|\xff|\xe6|𝒳|\U0001D15E|\U00016FF0|और|\u094d|\u0f73| |\u034f|ก|\u0e33|\u0fb2\u0f81|\u1e9b\u0323|\xf4|\xf0\x9f|\u0340|\xe6\x81", "|")
	for range 5000 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(strings.Repeat(kinds[r.IntN(len(kinds))], 1+r.IntN(2)*r.IntN(3)))
		}
		compareNFKD(t, b.String())
		compareNFKD(t, b.String()+"\xf4"+kinds[r.IntN(len(kinds))])
		marks := kinds[1+r.IntN(4)]
		compareNFKD(t, b.String()+strings.Repeat(marks, r.IntN(70))+b.String())
	}
}

func FuzzDecompose(f *testing.F) {
	for _, s := range samples {
		f.Add(s.text)
	}
	f.Add("a" + strings.Repeat("\u0323\u0301", 20) + "\xff각")
	f.Add("a\xf4\u0340")
	f.Fuzz(compareNFKD)
}
