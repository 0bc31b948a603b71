// Package texts generates corpora for the tests of package passage and its subpackages.
package texts

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// All returns one corpus of each kind, keyed by name. Each corpus is smaller than half a megabyte.
func All(t testing.TB) map[string][][]byte {
	r := rand.New(rand.NewPCG(3, 4))
	return map[string][][]byte{
		"none":      {nil, {}, []byte("short")},
		"nothing":   nil,
		"source":    Source(t, 120_000),
		"revisions": Revisions(r, 40, 3000),
		"made":      Made(r, 30, 500),
		"letter":    {bytes.Repeat([]byte("a"), 3000), bytes.Repeat([]byte("a"), 700), bytes.Repeat([]byte("b"), 1500)},
		"periodic":  Periodic(r),
		"letters":   Letters(r, 20, 2000, "ab"),
	}
}

// Source returns source files of Go's package syscall, up to the given total size in bytes.
func Source(t testing.TB, size int) (all [][]byte) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", "syscall", "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal("no source: ", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if size -= len(b); size < 0 {
			break
		}
		all = append(all, b)
	}
	return all
}

// Revisions returns n texts of about the given size. Most of them are changed copies of earlier
// texts.
func Revisions(r *rand.Rand, n, size int) (all [][]byte) {
	for i := range n {
		b := Letters(r, 1, size, "etaoin shrdlu\n")[0]
		if i%8 != 0 {
			b = bytes.Clone(all[r.IntN(i)])
		}
		for range 1 + r.IntN(4) {
			at := r.IntN(len(b))
			b = slices.Concat(b[:at], []byte("changed"), b[min(len(b), at+r.IntN(200)):])
		}
		all = append(all, b)
	}
	return all
}

// Made returns n texts of random words, whose frequencies have a Zipf distribution. Every second
// text begins with the end of an earlier text.
func Made(r *rand.Rand, n, words int) (all [][]byte) {
	vocabulary := bytes.Fields(Letters(r, 1, 20_000, "etaoin shrdlu é")[0])
	frequent := rand.NewZipf(r, 1.1, 2, uint64(len(vocabulary)-1))
	for i := range n {
		var b []byte
		if i%2 == 1 {
			from := all[r.IntN(i)]
			b = bytes.Clone(from[r.IntN(len(from)):])
		}
		for range words {
			b = append(append(b, vocabulary[frequent.Uint64()]...), ' ')
		}
		all = append(all, b)
	}
	return all
}

// Periodic returns texts that each repeat a string of fewer than 400 bytes.
func Periodic(r *rand.Rand) (all [][]byte) {
	for period := 1; period < 400; period += 1 + period/2 {
		b := bytes.Repeat(Letters(r, 1, period, "ab")[0], 1200/period+2)
		all = append(all, b, b[len(b)/3:])
	}
	return all
}

// Letters returns n random texts, each of which has the given size and only bytes of the alphabet.
func Letters(r *rand.Rand, n, size int, alphabet string) (all [][]byte) {
	for range n {
		b := make([]byte, size)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		all = append(all, b)
	}
	return all
}
