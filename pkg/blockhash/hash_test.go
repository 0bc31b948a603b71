package blockhash

import (
	"fmt"
	stdfnv "hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

func newHash(t testing.TB, kind Kind) Hash {
	t.Helper()
	var key []byte
	if kind == Highway {
		key = testKey
	}
	h, err := New(kind, key)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var kinds = []Kind{FNV1a, XXH64, XXH3, Highway}

// pattern returns n bytes that are easy to reproduce in any language: the top byte of
// i*0x9e3779b97f4a7c15 for i from 1 to n.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(uint64(i+1) * 0x9e3779b97f4a7c15 >> 56)
	}
	return b
}

// hashOf computes the hash of a file with the given content in the simplest way.
func hashOf(r Rule, h Hash, content []byte) Sum {
	var text []byte
	for _, s := range r.Spans(nil, int64(len(content))) {
		text = append(text, content[s.Off:s.Off+s.Len]...)
	}
	return h.sum(AppendSize(text, int64(len(content))))
}

const vectors = "../../testdata/vectors/blockhash.tsv"

// TestVectors compares computed hashes with the test vectors. With UPDATE=1 in the environment, it
// rewrites them.
func TestVectors(t *testing.T) {
	var got strings.Builder
	got.WriteString("# pattern(size): the top byte of i*0x9e3779b97f4a7c15, i from 1 to size; key of highway: 0123456789abcdef twice\n# hash rule size sum\n")
	for _, kind := range kinds {
		h := newHash(t, kind)
		for _, r := range []Rule{Default, {Selection: Published, Block: 4096, Count: 3}, {Selection: Blocks, Block: 1024, Count: 5}, {Selection: Full, Block: 1, Count: 1}} {
			for _, size := range []int{0, 1, 4095, 4096, 4097, 8192, 8193, 12288, 100000} {
				fmt.Fprintf(&got, "%s\t%s\t%d\t%s\n", kind, r, size, hashOf(r, h, pattern(size)).AppendHex(nil)[:h.Bits()/4])
			}
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(vectors, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}

// TestFNVAnswers checks hashes published by the authors of FNV, and the hash of a file with the
// content "abc".
func TestFNVAnswers(t *testing.T) {
	h := newHash(t, FNV1a)
	for text, want := range map[string]string{
		"":                                    "cbf29ce484222325",
		"a":                                   "af63dc4c8601ec8c",
		"foobar":                              "85944171f73967e8",
		"abc\x03\x00\x00\x00\x00\x00\x00\x00": "e5f49fafdcdf1048",
	} {
		if got := string(h.sum([]byte(text)).AppendHex(nil)[:16]); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// FuzzLanes compares the FNV-1a hashes computed in lanes with those of package hash/fnv.
func FuzzLanes(f *testing.F) {
	f.Add([]byte("some text to be cut into pieces of all lengths"), uint64(0x0123456789abcdef))
	f.Add([]byte{}, uint64(1))
	f.Fuzz(func(t *testing.T, all []byte, cuts uint64) {
		var texts [][]byte
		for ; cuts != 0; cuts >>= 4 {
			n := min(int(cuts&15)*int(cuts&15), len(all))
			texts = append(texts, all[:n])
			all = all[n:]
		}
		sums := make([]Sum, len(texts))
		newHash(t, FNV1a).Sums(sums, texts)
		for i, text := range texts {
			h := stdfnv.New64a()
			h.Write(text)
			if sums[i] != (Sum{Hi: h.Sum64()}) {
				t.Errorf("text %d of %d, %d bytes: %x, want %x", i, len(texts), len(text), sums[i].Hi, h.Sum64())
			}
		}
	})
}

// TestStream checks that a stream's hash does not depend on how the text is split.
func TestStream(t *testing.T) {
	text := pattern(1000)
	for _, kind := range kinds {
		h := newHash(t, kind)
		d := h.NewStream()
		for chunk := 1; chunk <= len(text); chunk += 1 + chunk/8 {
			d.Reset()
			for rest := text; len(rest) > 0; {
				n := min(chunk, len(rest))
				d.Write(rest[:n])
				rest = rest[n:]
			}
			if got, want := d.Sum(), h.sum(text); got != want {
				t.Errorf("%s in pieces of %d: %x, want %x", kind, chunk, got, want)
			}
		}
	}
}

func TestKeys(t *testing.T) {
	for _, tc := range []struct {
		kind Kind
		key  []byte
		ok   bool
	}{
		{FNV1a, nil, true}, {XXH64, testKey, false}, {Highway, nil, false},
		{Highway, testKey[1:], false}, {Highway, testKey, true}, {"md5", nil, false},
	} {
		if _, err := New(tc.kind, tc.key); (err == nil) != tc.ok {
			t.Errorf("%s with %d bytes of key: %v", tc.kind, len(tc.key), err)
		}
	}
	other, _ := New(Highway, append(testKey[1:], '0'))
	if a, b := newHash(t, Highway).String(), other.String(); a == b {
		t.Errorf("two keys are both named %s", a)
	}
}

func BenchmarkSums(b *testing.B) {
	const files, size = 64, 3*4096 + 8
	texts, sums := make([][]byte, files), make([]Sum, files)
	for i := range texts {
		texts[i] = pattern(size)
	}
	for _, kind := range kinds {
		b.Run(string(kind), func(b *testing.B) {
			h := newHash(b, kind)
			b.SetBytes(files * size)
			b.ReportAllocs()
			for b.Loop() {
				h.Sums(sums, texts)
			}
		})
	}
}

func BenchmarkFNVOneLane(b *testing.B) {
	h, text := newHash(b, FNV1a), pattern(3*4096+8)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		h.sum(text)
	}
}
