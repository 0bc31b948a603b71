package collection

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// benchBands is the number of keys of a record, as with the default options of doppel fuzzy.
const benchBands = 16

// addRandom adds a segment of n records with random keys and without texts.
func addRandom(b *testing.B, dir string, r *rand.Rand, n int) {
	b.Helper()
	w, err := NewWriter(dir, testSchemes["fuzzy"], WriteOptions{Mem: 64 << 20, NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	buckets := make([]uint64, benchBands)
	for i := range n {
		for j := range buckets {
			buckets[j] = r.Uint64() >> 24
		}
		if err := w.Add(strconv.AppendInt(nil, int64(i), 10), nil, buckets); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		b.Fatal(err)
	}
}

// benchRecords returns the number of records of a benchmark: the environment variable RECORDS, or
// 100,000.
func benchRecords() int {
	n, err := strconv.Atoi(os.Getenv("RECORDS"))
	if err != nil {
		return 100_000
	}
	return n
}

// BenchmarkJoin looks for the keys of few new records and of as many as the collection has.
func BenchmarkJoin(b *testing.B) {
	n := benchRecords()
	dir, r := filepath.Join(b.TempDir(), "seen"), rand.New(rand.NewPCG(1, 1))
	addRandom(b, dir, r, n)
	c, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	b.Logf("%.1f bytes of keys per record", float64(c.Segments()[0].Keys.Bytes)/float64(n))
	for _, queries := range []int{n / 4000, n} {
		keys := make([]Key, 0, queries*benchBands)
		for i := range queries * benchBands {
			keys = append(keys, Key{Bucket: r.Uint64() >> 24, Record: uint32(i / benchBands)})
		}
		slices.SortFunc(keys, func(x, y Key) int {
			if isAfter(&x, &y) {
				return 1
			}
			return -1
		})
		b.Run(strconv.Itoa(queries), func(b *testing.B) {
			for b.Loop() {
				if err := c.Join(sequence(keys), 64, func(uint32, int64) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
		})
	}
}

// BenchmarkMerge merges three segments of equal size, the most that Commit does not merge.
func BenchmarkMerge(b *testing.B) {
	n := benchRecords() / 3
	made, r := filepath.Join(b.TempDir(), "seen"), rand.New(rand.NewPCG(1, 1))
	for range 3 {
		addRandom(b, made, r, n)
	}
	for b.Loop() {
		b.StopTimer()
		dir := filepath.Join(b.TempDir(), "seen")
		if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
			b.Fatal(err)
		}
		w, err := OpenWriter(dir, WriteOptions{NoSync: true})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		_, err = w.Merge()
		b.StopTimer()
		if err := errors.Join(err, w.Close(), os.RemoveAll(dir)); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(3*n*benchBands), "ns/key")
}
