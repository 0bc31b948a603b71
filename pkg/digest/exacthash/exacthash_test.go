package exacthash

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/text"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

// TestVectors checks that the hashes of some texts under several schemes equal the published
// hashes.
func TestVectors(t *testing.T) {
	const name = "../../../testdata/vectors/exact.tsv"
	texts := [][]string{{""}, {"a"}, {"The cat sat."}, {"the  CAT sat"}, {"ab", "c"}, {"a", "bc"}, {"", ""}, {strings.Repeat("0123456789", 30)}}
	var got bytes.Buffer
	got.WriteString("# scheme hash fields\n")
	for _, o := range []Options{{}, {Normalize: Normalization{Text: text.Balanced}}, {Key: testKey}} {
		scheme, err := o.Scheme()
		if err != nil {
			t.Fatal(err)
		}
		s, _ := o.NewSigner()
		for _, fields := range texts {
			got.WriteString(scheme.String() + "\t")
			if sum, ok := s.Sum(joined(fields)); ok {
				got.Write(sum.AppendHex(nil))
			} else {
				got.WriteByte('-')
			}
			for _, f := range fields {
				got.WriteString("\t" + strconv.Quote(f))
			}
			got.WriteByte('\n')
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, got.Bytes(), 0o666); err != nil {
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

// joined returns the text of a record with the given fields, and the end offset of each field.
func joined(fields []string) (body []byte, ends []int) {
	for _, f := range fields {
		body = append(body, f...)
		ends = append(ends, len(body))
		body = append(body, '\n')
	}
	return body[:len(body)-1], ends
}

// TestFields checks that different divisions of a text into fields have different keys
// and hashes.
func TestFields(t *testing.T) {
	for _, how := range []Normalization{{}, {Text: text.Balanced}, {URL: true}} {
		s, _ := Options{Normalize: how}.NewSigner()
		keys, sums := map[string]bool{}, map[Sum]bool{}
		for _, fields := range [][]string{{"a b"}, {"a", "b"}, {"a", "", "b"}, {"a b", "c"}, {"a", "b c"}, {"a\nb", "c"}} {
			sum, _ := s.Sum(joined(fields))
			keys[string(s.Key(joined(fields)))], sums[sum] = true, true
		}
		if want := map[Normalization]int{{}: 6, {Text: text.Balanced}: 5, {URL: true}: 6}[how]; len(keys) != want || len(sums) != want {
			t.Errorf("%v: %d keys, %d sums, want %d", how, len(keys), len(sums), want)
		}
	}
}

// TestWordless checks that texts without words are equal only if their bytes are.
func TestWordless(t *testing.T) {
	s, _ := Options{Normalize: Normalization{Text: text.Balanced}}.NewSigner()
	sums := map[Sum]bool{}
	for _, fields := range [][]string{{"!!!"}, {"!!!"}, {"???"}, {"!!!", "?"}, {"!!!?", ""}, {" "}, {"a"}, {"a!"}} {
		sum, ok := s.Sum(joined(fields))
		if !ok {
			t.Errorf("%q has no hash", fields)
		}
		sums[sum] = true
	}
	if len(sums) != 6 {
		t.Errorf("%d hashes, want 6", len(sums))
	}
}

// TestValued checks that the order of a text and a value matters, and that the key does.
func TestValued(t *testing.T) {
	sums := map[Sum]bool{}
	for _, o := range []Options{{}, {Key: testKey}} {
		s, _ := o.NewSigner()
		for _, x := range [][2]string{{"cat", "dog"}, {"dog", "cat"}, {"cat", "cat"}, {"dog", "dog"}, {"cat", ""}} {
			sum, _ := s.Sum([]byte(x[0]), nil)
			sums[s.Valued(sum, []byte(x[1]))] = true
		}
	}
	if len(sums) != 10 {
		t.Errorf("%d different hashes, want 10", len(sums))
	}
}

// TestKeyed checks that schemes with different keys differ, and that a key must have the
// right size.
func TestKeyed(t *testing.T) {
	other := append([]byte("x"), testKey[1:]...)
	a, _ := Options{Key: testKey}.Scheme()
	b, _ := Options{Key: other}.Scheme()
	if a == b {
		t.Error(a)
	}
	if _, err := (Options{Key: testKey[1:]}).Scheme(); err == nil {
		t.Error("a short key: no error")
	}
}

func BenchmarkSum(b *testing.B) {
	body := bytes.Repeat([]byte("It was the best of times, it was the worst of times. "), 60)
	for name, o := range map[string]Options{"xxh3": {}, "balanced": {Normalize: Normalization{Text: text.Balanced}}, "keyed": {Key: testKey}} {
		b.Run(name, func(b *testing.B) {
			s, _ := o.NewSigner()
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				s.Sum(body, nil)
			}
		})
	}
}

func TestParseScheme(t *testing.T) {
	for _, o := range []Options{{}, {Whole: true}, {Valued: true}, {Normalize: Normalization{Text: text.Aggressive}}, {Normalize: Normalization{URL: true}}, {Key: testKey}} {
		want, _ := o.Scheme()
		if got, err := ParseScheme(want.String()); got != want || err != nil || got.Keyed() != (o.Key != nil) {
			t.Errorf("%v: %v, %v", want, got, err)
		}
	}
	for _, bad := range []string{
		"", "exact", "exact/xxh3-128/text", "exact/xxh3-128/text/odd", "exact/xxh3-128/all/none", "exact/md5/text/none",
		"exact/highway-128-0/text/none", "exact/highway-128-0000000g/text/none", "exact/xxh3-128/text/none/more", "sample/xxh3-128/text/none",
	} {
		if s, err := ParseScheme(bad); err == nil {
			t.Errorf("%q: no error: %v", bad, s)
		}
	}
}
