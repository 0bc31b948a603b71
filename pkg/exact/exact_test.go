package exact

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestVectors holds the hashes of the published texts: XXH3-128 as xxh128sum
// prints it, and HighwayHash-128 under the key 0, 1, … 31.
func TestVectors(t *testing.T) {
	key := make([]byte, KeySize)
	for i := range key {
		key[i] = byte(i)
	}
	keyed, err := NewKeyed(key)
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../../testdata/vectors/exact.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, h := range []*Hasher{New(), keyed} {
			got := h.Sum([]byte(f[0]), nil)
			if string(got.AppendHex(nil)) != f[1+i] {
				t.Errorf("%q: %s, want %s", f[0], got.AppendHex(nil), f[1+i])
			}
			if back, err := Parse([]byte(f[1+i])); err != nil || back != got {
				t.Errorf("%s parses as %v, %v", f[1+i], back, err)
			}
		}
	}
	if rows < 4 {
		t.Errorf("%d rows", rows)
	}
}

// Where the fields end matters.
func TestFields(t *testing.T) {
	h := New()
	sums := map[Sum]bool{}
	for _, ends := range [][]int{{1, 4}, {2, 4}, {3, 4}, {1, 2, 4}, {4}} {
		sums[h.Sum([]byte("abcd"), ends)] = true
	}
	if len(sums) != 5 {
		t.Errorf("%d different sums of 5", len(sums))
	}
}

func TestKeys(t *testing.T) {
	a, errA := NewKeyed(bytes.Repeat([]byte{1}, KeySize))
	b, errB := NewKeyed(bytes.Repeat([]byte{2}, KeySize))
	if errA != nil || errB != nil || a.Name() == b.Name() || New().Name() != "xxh3-128" {
		t.Errorf("%v, %v, %s, %s", errA, errB, a.Name(), b.Name())
	}
	if _, err := NewKeyed(nil); err == nil {
		t.Error("no key is no error")
	}
	for _, digits := range []string{"", "f0396c8585b45ed5009b85280f73241", "f0396c8585b45ed5009b85280f73241x"} {
		if _, err := Parse([]byte(digits)); err == nil {
			t.Errorf("%q is no error", digits)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	text := make([]byte, 3000)
	keyed, _ := NewKeyed(make([]byte, KeySize))
	for _, h := range []*Hasher{New(), keyed} {
		b.Run(h.Name(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				h.Sum(text, nil)
			}
		})
	}
}
