package parquet

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/par"
	"doppel/pkg/record"
)

// TestShared checks that each record has its own text and id, although runs that are decoded
// concurrently share pages, and the memory of pages is reused.
func TestShared(t *testing.T) {
	all := long(4000) // 16 MB of text
	for _, size := range []int{1 << 10, 300 << 10, 5 << 20} {
		name := filepath.Join(t.TempDir(), fmt.Sprint(size))
		writeFlats(t, name, all, 3000, pq.PageBufferSize(size))
		rd, err := record.NewReader(record.Input{Names: []string{name}}, record.Options{Fields: []string{"text"}, ID: "id"})
		if err != nil {
			t.Fatal(err)
		}
		spares, n := par.NewSpares[record.Batch](8), 0
		next := func() (*record.Batch, error) {
			b := spares.Get()
			return b, rd.Next(b)
		}
		worker := func() func(*record.Batch) *record.Batch {
			return func(b *record.Batch) *record.Batch {
				b.Decode()
				return b
			}
		}
		err = par.Ordered(8, next, worker, func(b *record.Batch) error {
			for _, rec := range b.Records {
				want := all[n]
				n++
				if null := want.Text == nil; null != (rec.Err != nil) || !null && string(rec.Text) != *want.Text || string(rec.ID) != fmt.Sprint(want.ID) {
					return fmt.Errorf("record %d: %q, %.40q, %v", n-1, rec.ID, rec.Text, rec.Err)
				}
			}
			b.Shrink()
			spares.Put(b)
			return nil
		})
		if err != nil && err != io.EOF || n != len(all) {
			t.Fatalf("pages of %d bytes: %d records, %v", size, n, err)
		}
	}
}
