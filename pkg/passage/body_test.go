package passage

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// FuzzBody checks that encoding a parsed body yields the same bytes.
func FuzzBody(f *testing.F) {
	f.Add([]byte("Zm9vYmFyAEtmb29iYXIAS2Zvb2JhcgBL"))
	f.Fuzz(func(t *testing.T, body []byte) {
		runs, err := AppendParsed(nil, body)
		if err == nil && !bytes.Equal(bodyOf(runs), body) {
			t.Errorf("%q is written %q", body, bodyOf(runs))
		}
	})
}

// TestVectors compares bodies with known answers. The answers were computed by a program in another
// language, from the definitions in the comments of this package.
func TestVectors(t *testing.T) {
	file, err := os.ReadFile("testdata/passage.tsv")
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for line := range strings.Lines(string(file)) {
		column := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		s, err := ParseScheme(column[0])
		if err != nil {
			t.Fatal(err)
		}
		signer, err := NewSigner(s)
		if err != nil {
			t.Fatal(err)
		}
		text := unescape.Replace(column[1])
		if got := AppendBody(nil, signer.Each([]byte(text))); string(got) != column[2] {
			t.Errorf("%s of %q: %s, not %s", s, text, got, column[2])
		}
	}
}
