package parquet

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/parquet/pages"
	"doppel/pkg/record/write"
)

// runAllReadings reads a file in all the ways that readings returns, and joins the errors.
func runAllReadings(f *os.File) (err error) {
	for _, read := range readings(f) {
		err = errors.Join(err, read())
	}
	return err
}

// readings returns functions that read or copy a file, each in a different way.
func readings(f *os.File) []func() error {
	all := func(int64) bool { return true }
	opt := dataform.Packing{Jobs: 1}
	ways := []func() error{
		func() error { return writeLines(io.Discard, []*os.File{f}, write.Selection{Keep: all}) },
		func() error { return copyRows(io.Discard, []*os.File{f}, opt, write.Selection{Keep: all}) },
		func() error {
			return copyRows(io.Discard, []*os.File{f}, opt, write.Selection{Keep: func(i int64) bool { return i%3 > 0 }})
		},
		func() error { return readAll(f, record.Options{}) },
	}
	if file, err := pages.Open(f); err == nil {
		for _, path := range columnsOf(nil, file.Root(), "", 0) {
			if strings.Contains(path, "[]") {
				ways = append(ways, func() error { return readAll(f, record.Options{Fields: []string{path}}) },
					func() error {
						return readAll(f, record.Options{Fields: []string{strings.Replace(path, "[]", "[1]", 1)}})
					})
			}
		}
		for _, path := range file.Schema().Columns() {
			if len(path) == 1 {
				ways = append(ways, func() error { return readAll(f, record.Options{Fields: path}) },
					func() error { return cutThirds(f, path[0]) })
			}
		}
	}
	return ways
}

// cutThirds copies a file twice, page by page if possible and then row by row. Each copy omits the
// first byte of every third text.
func cutThirds(f *os.File, field string) error {
	files, err := openAll([]*os.File{f})
	if err != nil {
		return err
	}
	column, err := findColumn(files[0], field, "--field")
	if err != nil || files[0].Kind(column.index) != pq.ByteArray {
		return err
	}
	rows := int64(0)
	for _, g := range files[0].Groups {
		rows += g.Rows()
	}
	cuts := func() *pages.Cuts {
		row := int64(0)
		return &pages.Cuts{Leaf: column.index, Next: func() (c write.Cut, err error) {
			if c = (write.Cut{Ordinal: row, Parts: []write.Range{{Start: 0, End: 1}}}); row >= rows {
				err = io.EOF
			}
			row += 3
			return c, err
		}}
	}
	all := func(int64) bool { return true }
	if spliceable(files, nil) {
		if err := copyByPage(io.Discard, files, dataform.Packing{Jobs: 1}, nil, write.Selection{Keep: all}, cuts()); err != nil {
			return err
		}
	}
	joined, err := unify(files)
	if err != nil {
		return err
	}
	return copyByRow(io.Discard, joined, nil, nil, write.Selection{Keep: all}, cuts())
}

// readAll reads all records, and returns the errors.
func readAll(f *os.File, opt record.Options) error {
	rd, err := record.NewReader(record.Input{Names: []string{f.Name()}}, opt)
	if err != nil {
		return err
	}
	var b record.Batch
	for {
		if err := rd.Next(&b); err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
		b.Decode()
		for i := range b.Records {
			if err := b.Records[i].Err; err != nil {
				return err
			}
		}
	}
}

// TestFaults checks that reading a file that makes parquet-go panic returns an error.
func TestFaults(t *testing.T) {
	names, err := filepath.Glob("testdata/faults/*.parquet")
	if err != nil || len(names) < 13 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		err := runAllReadings(mustOpen(t, name))
		// In 12.parquet, only an index that is never read is damaged.
		if whole := strings.HasSuffix(name, "/12.parquet"); whole != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// memoryBound returns the number of bytes of memory that reading a file of n bytes may take. The
// bound allows for several pages in memory at once, each with up to 2^24 values, and with a
// decompressed size of 1 MiB or 64 times the compressed size.
func memoryBound(n int64) uint64 { return 1<<30 + 4096*uint64(n) }

// systemMemory returns the memory obtained from the system so far, which never shrinks.
func systemMemory() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapSys
}

// TestClaims checks that no size or count in a footer or a page header is trusted. It changes the
// stated size of the footer, then writes a large number at many positions of the file, one at a
// time, and checks that reading does not exceed memoryBound.
func TestClaims(t *testing.T) {
	whole := smallFile(t)
	tail := len(whole) - 8
	for _, n := range []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff} {
		b := bytes.Clone(whole)
		for i := range 4 {
			b[tail+i] = byte(n >> (8 * i))
		}
		if err := runAllReadings(asFile(t, b)); err == nil {
			t.Errorf("a footer of %d bytes: no error", n)
		}
	}
	for at := 4; at < tail; at += 1 + at/64 {
		b := append(bytes.Clone(whole[:at]), 0xff, 0xff, 0xff, 0xff, 0x07) // a varint near 2^31
		b = append(b, whole[min(at+5, len(whole)):]...)
		f := asFile(t, b)
		if _ = runAllReadings(f); systemMemory() > memoryBound(int64(len(b))) { // errors and wrong values are fine
			t.Fatalf("%d bytes for a claim at %d", systemMemory(), at)
		}
	}
}

// asFile returns a file with the content b.
func asFile(t testing.TB, b []byte) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
