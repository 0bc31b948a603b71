package fingerprint

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
)

// TestVectors compares fingerprints with known answers. The answers were computed independently of
// this package, from the definitions in its comments, with unlimited precision.
func TestVectors(t *testing.T) {
	file, err := os.ReadFile("../../testdata/vectors/sample.tsv")
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for line := range strings.Lines(string(file)) {
		column := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		p, rest, err := ParseParams(column[0])
		if err != nil || rest != "" {
			t.Fatalf("%s: rest %q, %v", column[0], rest, err)
		}
		text := []byte(unescape.Replace(column[1]))
		set := newSampler(t, p).Append(nil, onePart(text))
		if d := cmp.Diff(column[2], hexList(set)); d != "" {
			t.Errorf("%s: %q: fingerprints (-want +got):\n%s", column[0], column[1], d)
		}
		if got := string(p.AppendEncoded(nil, set, xxhash.Sum64(text))); got != column[3] {
			t.Errorf("%s: %q: encoded %s, want %s", column[0], column[1], got, column[3])
		}
	}
}

func hexList(set []uint64) string {
	if len(set) == 0 {
		return "-"
	}
	var words []string
	for _, h := range set {
		words = append(words, strconv.FormatUint(h, 16))
	}
	return strings.Join(words, ",")
}

func newSampler(t testing.TB, p Params) *Sampler {
	t.Helper()
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
