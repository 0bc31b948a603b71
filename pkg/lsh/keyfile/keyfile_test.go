package keyfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/lsh"
)

// openLines writes lines to a file and opens it.
func openLines(t testing.TB, lines []string) *File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := Open(name)
	if err != nil || k == nil {
		t.Fatal(k, err)
	}
	t.Cleanup(func() { k.Close() })
	return k
}

func keyLine(k lsh.Key, id string) string { return string(k.AppendText(nil)) + "\t" + id + "\n" }

// TestFind checks that Find returns all entries of every bucket, for several distributions of
// buckets and for ids of various lengths.
func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, bucket := range map[string]func() uint64{
		"even":  func() uint64 { return r.Uint64() },
		"small": func() uint64 { return r.Uint64() >> 40 },
		"few":   func() uint64 { return r.Uint64N(5) << 60 },
		"skew":  func() uint64 { return r.Uint64() >> r.IntN(60) },
	} {
		want := map[uint64][]string{}
		var lines []string
		for i := range 3000 {
			k, id := lsh.Key{Bucket: bucket(), Digest: uint64(i)}, fmt.Sprintf("%d%s", i, strings.Repeat("x", r.IntN(3)*r.IntN(3000)))
			want[k.Bucket] = append(want[k.Bucket], id)
			lines = append(lines, keyLine(k, id))
		}
		slices.Sort(lines)
		file := openLines(t, lines).NewFinder()
		for b, ids := range want {
			var got []string
			found, err := file.Find(nil, b, len(ids))
			for _, f := range found {
				got = append(got, string(f.ID))
			}
			if d := cmp.Diff(ids, got); d != "" || err != nil {
				t.Fatalf("%s: bucket %x: %v (-want +got):\n%s", name, b, err, d)
			}
			absent := b + 1
			if found, err := file.Find(nil, absent, 9); err != nil || len(found) != min(len(want[absent]), 10) {
				t.Fatalf("%s: bucket %x: %d found, %v", name, absent, len(found), err)
			}
		}
	}
}

func TestFindLimit(t *testing.T) {
	var lines []string
	for i := range 500 {
		lines = append(lines, keyLine(lsh.Key{Bucket: 5, Digest: uint64(i / 2)}, fmt.Sprintf("%03d", i)))
	}
	if found, err := openLines(t, lines).NewFinder().Find(nil, 5, 10); len(found) != 21 || err != nil {
		t.Errorf("%d found, %v", len(found), err)
	}
}

// spread is an odd constant whose multiples are spread over the range of buckets.
const spread = 0x9fb21c651e98df25

func TestUnsorted(t *testing.T) {
	var lines []string
	for i := range uint64(1000) {
		lines = append(lines, keyLine(lsh.Key{Bucket: i * spread, Digest: 5}, "id"))
	}
	file, unsorted := openLines(t, lines).NewFinder(), 0
	for i := range uint64(1000) {
		if _, err := file.Find(nil, i*spread, 10); errors.Is(err, ErrUnsorted) {
			unsorted++
		}
	}
	if unsorted == 0 {
		t.Error("nothing was noticed")
	}
}

// TestOpenKeyFile checks that Open returns nil without an error for files that are not files of
// keys, and an error for a missing file.
func TestOpenKeyFile(t *testing.T) {
	dir := t.TempDir()
	for i, text := range []string{"", "short\n", "0\tminhash/h2/w3/128x32/s1/balanced\tAAAAAAAAAAAAAAAAAAAA\n", strings.Repeat("x", 100)} {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if k, err := Open(name); k != nil || err != nil {
			t.Errorf("%q: %v, %v", text, k, err)
		}
	}
	if k, err := Open(dir); k != nil || err != nil {
		t.Errorf("a directory: %v, %v", k, err)
	}
	if _, err := Open(filepath.Join(dir, "none")); err == nil {
		t.Error("a file that does not exist: no error")
	}
}

func BenchmarkFind(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var lines []string
	for i := range 200000 {
		lines = append(lines, keyLine(lsh.Key{Bucket: r.Uint64(), Digest: 5}, fmt.Sprint(i)))
	}
	slices.Sort(lines)
	file := openLines(b, lines).NewFinder()
	b.ReportAllocs()
	b.SetBytes(keyLen)
	for b.Loop() {
		if _, err := file.Find(nil, r.Uint64(), 100); err != nil {
			b.Fatal(err)
		}
	}
}
