package method

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

// made contains settings of methods, and the schemes that New makes from them.
var made = []struct {
	method string
	set    func(*Settings, *Source)
	scheme string // empty if New must return an error
}{
	{"minhash", nil, "minhash/h2/w3/128x16/s1/balanced"},
	{"minhash", func(s *Settings, _ *Source) { s.Shingle, s.Normalize = "c5", "none" }, "minhash/h2/c5/128x16/s1/none"},
	{"minhash", func(s *Settings, src *Source) { s.Slots, s.SlotBits, s.Seed, src.Fields = 16, 8, 7, "/field=a,b" }, "minhash/h2/w3/16x8/s7/balanced/field=a,b"},
	{"minhash", func(s *Settings, _ *Source) { s.Slots = 0 }, ""},
	{"minhash", func(s *Settings, _ *Source) { s.Shingle = "w0" }, ""},
	{"minhash", func(s *Settings, _ *Source) { s.Normalize = "odd" }, ""},
	{"simhash", nil, "simhash/c2/city/64/none"},
	{"simhash", func(s *Settings, _ *Source) { s.Shingle = "w3" }, "simhash/w3/city/64/balanced"},
	{"simhash", func(s *Settings, src *Source) {
		s.Bits, s.Hash, s.Form, s.Zero, src.Fields = 128, "xxh3", "NFC", true, "/field=a"
	}, "simhash/c2/xxh3/128/none/NFC/zero/field=a"},
	{"simhash", func(s *Settings, _ *Source) { s.Bits = 65 }, ""},
	{"simhash", func(s *Settings, _ *Source) { s.Shingle, s.Normalize = "w3", "none" }, ""},
	{"simhash", func(s *Settings, _ *Source) { s.Shingle = "3" }, ""},
	{"sample", nil, "sample/b50/p982451653/m2^64/c0:ff/none"},
	{"sample", func(s *Settings, _ *Source) { s.Window, s.Criterion = "w8", "0" }, "sample/w8/p982451653/m2^64/c0:0/balanced"},
	{"sample", func(s *Settings, src *Source) { s.Window, s.Winnow, s.Raw, src.Fields = "c20", 30, true, "/field=a" }, "sample/c20/p982451653/m2^64/w30/raw/none/field=a"},
	{"sample", func(s *Settings, _ *Source) { s.Normalize, s.Prime, s.Modulus = "aggressive", 31, "1000" }, "sample/b50/p31/m1000/c0:ff/aggressive"},
	{"sample", func(s *Settings, _ *Source) { s.Winnow, s.Criterion = 9, "8" }, ""},
	{"sample", func(s *Settings, _ *Source) { s.Window = "x" }, ""},
	{"sample", func(s *Settings, _ *Source) { s.Modulus = "1" }, ""},
	{"sample", func(s *Settings, _ *Source) { s.Criterion = "64" }, ""},
	{"sample", func(s *Settings, _ *Source) { s.Prime = 10 }, ""},
	{"sample", func(s *Settings, _ *Source) { s.Normalize = "odd" }, ""},
	{"exact", nil, "exact/xxh3-128/text/none"},
	{"exact", func(s *Settings, src *Source) { s.Normalize, src.Fields = "balanced", "/field=a" }, "exact/xxh3-128/text/balanced/field=a"},
	{"exact", func(s *Settings, _ *Source) { s.Whole = true }, "exact/xxh3-128/whole/none"},
	{"exact", func(_ *Settings, src *Source) { src.Key = testKey }, "exact/highway-128-"},
	{"exact", func(_ *Settings, src *Source) { src.Key = testKey[1:] }, ""},
	{"minhash", func(_ *Settings, src *Source) { src.Key = testKey }, "minhash/highway-"},
	{"minhash", func(_ *Settings, src *Source) { src.Key = testKey[1:] }, ""},
	{"exact", func(s *Settings, _ *Source) { s.Whole, s.Normalize = true, "balanced" }, ""},
	{"exact", func(s *Settings, _ *Source) { s.Normalize = "odd" }, ""},
	{"passage", nil, "passage/200/k50/none"},
	{"passage", func(s *Settings, src *Source) { s.Length, src.Fields = "w50", "/field=a" }, "passage/w50/k12/balanced/field=a"},
	{"passage", func(s *Settings, _ *Source) { s.Length, s.Normalize = "w8", "conservative" }, "passage/w8/k4/conservative"},
	{"passage", func(s *Settings, _ *Source) { s.Normalize = "none" }, "passage/200/k50/none"},
	{"passage", func(s *Settings, _ *Source) { s.Normalize = "balanced" }, ""},
	{"passage", func(s *Settings, _ *Source) { s.Length, s.Normalize = "w50", "none" }, ""},
	{"passage", func(s *Settings, _ *Source) { s.Normalize = "odd" }, ""},
	{"passage", func(s *Settings, _ *Source) { s.Length = "c50" }, ""},
	{"passage", func(s *Settings, _ *Source) { s.Length = "0" }, ""},
}

// texts contains two equal texts, a text that differs from them in one word, and two empty texts.
var texts = func() []string {
	r := rand.New(rand.NewPCG(1, 1))
	words := make([]string, 2000)
	for i := range words {
		words[i] = strconv.Itoa(r.IntN(1e6))
	}
	text := strings.Join(words, " ")
	words[1000] = "another"
	return []string{text, text, strings.Join(words, " "), "", ""}
}()

// TestNew checks that a scheme made from settings can be parsed, and that the parsed scheme
// signs texts in the same way.
func TestNew(t *testing.T) {
	for _, c := range made {
		m, err := Named(c.method)
		if err != nil {
			t.Fatal(err)
		}
		settings, source := DefaultSettings(), Source{}
		if c.set != nil {
			c.set(&settings, &source)
		}
		scheme, err := m.New(settings, source)
		if c.scheme == "" {
			if err == nil {
				t.Errorf("%s %+v: no error: %v", c.method, settings, scheme)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(scheme.String(), c.scheme) || c.scheme[len(c.scheme)-1] != '-' && scheme.String() != c.scheme {
			t.Errorf("%v, %v, want %s", scheme, err, c.scheme)
			continue
		}
		parsed, err := Parse(scheme.String())
		if err != nil || parsed.String() != scheme.String() {
			t.Errorf("%v is parsed as %v, %v", scheme, parsed, err)
			continue
		}
		if got, want := signAll(parsed), signAll(scheme); source.Key == nil && !equal(got, want) {
			t.Errorf("%v: %q and %q", scheme, got, want)
		}
		if c.method != "passage" { // TestPassageKeys tests the keys of passages
			checkKeys(t, scheme)
		}
		checkEstimates(t, scheme)
	}
}

// signAll signs the texts, or returns nil if the scheme has no signer.
func signAll(s Scheme) (all [][]byte) {
	signer, err := s.Signer()
	if err != nil {
		return nil
	}
	for _, text := range texts {
		all = append(all, signer.Append(nil, []byte(text), nil))
	}
	return all
}

func equal(a, b [][]byte) bool {
	return a != nil && b != nil && string(bytes.Join(a, []byte{' '})) == string(bytes.Join(b, []byte{' '}))
}

// checkKeys checks that equal texts share all buckets, that empty texts have no keys, and that
// the partitions of keys are in range.
func checkKeys(t *testing.T, s Scheme) {
	t.Helper()
	keyer, err := s.Keyer(lsh.Options{Threshold: .5, Recall: .9, Within: 3})
	if err != nil {
		t.Fatal(s, err)
	}
	var keys [][]lsh.Key
	for i, body := range signAll(s) {
		k, err := keyer.Append(nil, line.Signature{ID: []byte{byte('a' + i)}, Body: body})
		if err != nil {
			t.Errorf("%v: %v", s, err)
		}
		for _, key := range k {
			if p := keyer.Partition(key.Bucket); p < 0 || p >= keyer.Partitions() {
				t.Errorf("%v: partition %d of %d", s, p, keyer.Partitions())
			}
		}
		keys = append(keys, k)
	}
	for i := range keys[0] {
		if len(keys[0]) != len(keys[1]) || keys[0][i].Bucket != keys[1][i].Bucket {
			t.Errorf("%v: equal texts have the keys %v and %v", s, keys[0], keys[1])
		}
	}
	if zero := strings.Contains(s.String(), "/zero"); !zero && len(keys[3]) > 0 {
		t.Errorf("%v: an empty text has the keys %v", s, keys[3])
	}
	if _, err := keyer.Append(nil, line.Signature{Body: []byte("odd")}); err == nil {
		t.Errorf("%v: a bad signature: no error", s)
	}
}

// checkEstimates checks that equal texts have the score 1, different texts a lower score, and
// empty texts the score 0.
func checkEstimates(t *testing.T, s Scheme) {
	t.Helper()
	for _, m := range []Measure{Similarity, Containment} {
		c, err := s.Comparer(m)
		method, _, _ := strings.Cut(s.String(), "/")
		if can := method == "sample" || m == Similarity && method != "simhash" && method != "passage"; can != (err == nil) {
			t.Errorf("%v, %v: %v", s, m, err)
		}
		if err != nil {
			continue
		}
		var all []Comparand
		for _, body := range signAll(s) {
			d, err := c.Decode(body)
			if err != nil || d == nil {
				t.Fatal(s, d, err)
			}
			all = append(all, d)
		}
		same, near, none, nothing := c.Compare(all[0], all[1]), c.Compare(all[0], all[2]), c.Compare(all[0], all[3]), c.Compare(all[3], all[4])
		if same.Score != 1 || !same.Equal || near.Equal || near.Score == 1 && !near.Interval || none.Score != 0 || nothing.Score != 0 || nothing.Equal {
			t.Errorf("%v, %v: %+v %+v %+v %+v", s, m, same, near, none, nothing)
		}
		if _, err := c.Decode([]byte("odd")); err == nil {
			t.Errorf("%v: a bad signature: no error", s)
		}
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{
		"", "nothing/1", "minhash", "minhash/odd", "minhash/w3/128x16/s1/balanced", "simhash/odd", "sample/odd", "sample/b50/p7/m2^64/w8/odd",
		"passage/odd", "exact/odd", "exact/xxh3-128/text/none/field=text", "exact/xxh3-128/text/none/field=%", "exact/xxh3-128/text/none/fields=a",
	} {
		if s, err := Parse(bad); err == nil {
			t.Errorf("%q: no error: %v", bad, s)
		}
		if _, err := NewKeyer(bad, lsh.Options{Threshold: .8, Recall: .99}); err == nil {
			t.Errorf("keys of %q: no error", bad)
		}
		if _, err := NewAnyKeyer(lsh.Options{}).Append(nil, line.Signature{Scheme: []byte(bad)}); err == nil {
			t.Errorf("keys of %q: no error", bad)
		}
	}
	for _, impossible := range []string{"minhash/h2/w3/4x16/s1/balanced", "simhash/c2/city/64/none"} {
		if _, err := NewKeyer(impossible, lsh.Options{Bands: lsh.Bands{B: 5, R: 1}, Within: -1}); err == nil {
			t.Errorf("%s: no error", impossible)
		}
	}
}

// TestKeyed checks that a keyed scheme can be parsed without its key, but cannot sign.
func TestKeyed(t *testing.T) {
	for _, made := range []func(Settings, Source) (Scheme, error){newExact, newMinhash} {
		scheme, err := made(DefaultSettings(), Source{Key: testKey})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scheme.Signer(); err != nil {
			t.Error(err)
		}
		parsed, err := Parse(scheme.String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsed.Signer(); err == nil || !strings.HasSuffix(err.Error(), "needs the secret key of the hashes") {
			t.Error(err)
		}
	}
}

// TestCheckDigest checks that CheckDigest rejects keys of another sample scheme, and that it
// accepts all keys if the scheme is not a sample scheme.
func TestCheckDigest(t *testing.T) {
	one, other := "sample/b8/p31/m2^64/c0:0/none", "sample/b8/p31/m2^64/c0:0/none/field=a"
	digest := func(scheme string) uint64 {
		s, err := Parse(scheme)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := NewAnyKeyer(lsh.Options{}).Append(nil, line.Signature{Scheme: []byte(scheme), Body: signAll(s)[0]})
		if err != nil || len(keys) == 0 {
			t.Fatal(keys, err)
		}
		return keys[0].Digest
	}
	a := NewAnyKeyer(lsh.Options{})
	for _, scheme := range []string{"exact/xxh3-128/text/none", one} {
		if _, err := a.Append(nil, line.Signature{Scheme: []byte(scheme), Body: []byte(schemes.Empty)}); err != nil {
			t.Fatal(err)
		}
		if err := a.CheckDigest(digest(one)); err != nil {
			t.Error(err)
		}
		if err := a.CheckDigest(digest(other)); (err == nil) != (scheme != one) {
			t.Errorf("%s: %v", scheme, err)
		}
	}
}

func TestTable(t *testing.T) {
	for setting, want := range map[string]string{"slots": "minhash", "shingle": "minhash simhash", "normalize": "minhash simhash sample exact passage", "length": "passage", "jobs": ""} {
		if got := strings.Join(With(setting), " "); got != want {
			t.Errorf("%s: %q, want %q", setting, got, want)
		}
	}
	for scheme, want := range map[string]bool{"sample/x": true, "minhash/x": false, "": false, "samples/x": false} {
		if Of(scheme).Counted != want {
			t.Error(scheme)
		}
	}
	if _, err := Named(""); err == nil {
		t.Error("a method without a name")
	}
}

// FuzzParse checks that if Parse accepts a word, the scheme's String method returns the same word.
func FuzzParse(f *testing.F) {
	for _, c := range made {
		f.Add(c.scheme)
	}
	f.Add("minhash/w3/128x16/s1/balanced")
	f.Add("exact/highway-128-0123abcd/text/none/field=a%2Fb")
	f.Fuzz(func(t *testing.T, word string) {
		if s, err := Parse(word); err == nil && s.String() != word {
			t.Errorf("%q is written %q", word, s)
		}
	})
}
