package parquet

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go/format"
)

// A mutant is a file with one to three random changes: in numbers, types and codecs of the footer,
// in page headers, or in page bodies. Offsets in the footer are corrected before the footer is
// changed, so that a file with changed pages passes the first checks.
//
// The original files are those in testdata/peers, which other libraries wrote, and some that
// parquet-go writes. To try a hundred thousand mutants with another seed:
//
//	MUTANTS=100000 SEED=7 go test -run Mutants -timeout 0 -v ./pkg/record/parquet
//
// A mutant that causes a panic stays in the scratch directory.

// extremes are the numbers that mutants often have as sizes, counts and positions.
var extremes = []int64{0, 1, 2, 7, 8, 63, 64, 127, 128, 255, 256, 1 << 15, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 40, 1<<63 - 1, -1, -2, -128, -1 << 31, -1 << 63}

// drawNumber returns an element of extremes, a number near a power of two, or any number.
func drawNumber(r *rand.Rand) int64 {
	switch r.IntN(4) {
	case 0:
		return int64(r.IntN(300))
	case 1:
		return 1<<r.IntN(63) + int64(r.IntN(3)) - 1
	default:
		return extremes[r.IntN(len(extremes))]
	}
}

// mutate makes one random change in the pages.
func (a *anatomy) mutate(r *rand.Rand) {
	if len(a.pages) == 0 {
		return
	}
	with := make([]byte, 1+r.IntN(12))
	for i := range with {
		with[i] = byte(drawNumber(r))
	}
	at := r.IntN(len(a.pages))
	switch r.IntN(12) {
	case 0: // remove, repeat or replace a page
		a.pages = append(a.pages[:at], a.pages[at+1:]...)
	case 1:
		a.pages = append(a.pages[:at+1], a.pages[at:]...)
	case 2:
		other := a.pages[r.IntN(len(a.pages))]
		a.pages[at].head, a.pages[at].body = other.head, other.body
	default:
		a.pages[at].change(uint8(r.IntN(18)), drawNumber(r), with)
	}
}

// mutant returns a copy of a file with one to three random changes.
func mutant(t testing.TB, file []byte, r *rand.Rand) []byte {
	a, footer := dissect(t, file), 0
	for range 1 + r.IntN(3) {
		if r.IntN(2) == 0 {
			a.mutate(r)
		} else {
			footer++
		}
	}
	return a.build(func(m *format.FileMetaData) {
		for ; footer > 0 && len(m.RowGroups) > 0 && len(m.Schema) > 0; footer-- {
			changeMeta(m, uint8(r.IntN(16)), uint16(r.IntN(1<<16)), drawNumber(r))
		}
	})
}

// mutantFiles returns the files of all writers, including those of parquet-go.
func mutantFiles(t testing.TB) (all [][]byte) {
	names, _ := filepath.Glob("testdata/peers/*.parquet")
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// dissect cannot find the pages of this file, because its chunks have no positions.
		if filepath.Base(name) != "pyarrow-empty.parquet" {
			all = append(all, b)
		}
	}
	return append(all, fuzzFiles(t)...)
}

// envNumber returns the value of an environment variable, or the given default if the value is not
// a number.
func envNumber(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

// TestMutants checks that reading a mutant returns a result or an error, and does not exceed
// memoryBound.
func TestMutants(t *testing.T) {
	files, dir := mutantFiles(t), t.TempDir()
	n, seed := envNumber("MUTANTS", 1000), envNumber("SEED", 1)
	start, refused := time.Now(), 0
	for i := range n {
		r := rand.New(rand.NewPCG(seed, i))
		b := mutant(t, files[r.IntN(len(files))], r)
		name := filepath.Join(dir, fmt.Sprintf("mutant-%d-%d.parquet", seed, i))
		if readMutant(t, name, b, r) != nil {
			refused++
		}
		if systemMemory() > memoryBound(int64(len(b))) {
			t.Fatalf("%s: %d bytes of memory for a file of %d", name, systemMemory(), len(b))
		}
	}
	t.Logf("%d mutants, %d refused, %.2f s each thousand", n, refused, time.Since(start).Seconds()*1000/float64(n))
}

// readMutant writes b to a file and reads this file in one of the ways that readings returns. If
// reading panics, the file is not removed.
func readMutant(t testing.TB, name string, b []byte, r *rand.Rand) error {
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	ways := readings(f)
	err = ways[r.IntN(len(ways))]()
	f.Close()
	os.Remove(name)
	return err
}
