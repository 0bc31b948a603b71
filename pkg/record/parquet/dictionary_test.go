package parquet

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
)

// listed is the type of rows whose texts are stored in a dictionary.
type listed struct {
	N    int64    `parquet:"n"`
	Text *string  `parquet:"text,optional,dict"`
	More []string `parquet:"more,dict"`
}

// TestDictionary checks that a small file whose dictionary texts expand to more than 1 GiB is read
// in short runs, even if the text of a record is its whole row.
func TestDictionary(t *testing.T) {
	const rows = 1200
	texts := []string{strings.Repeat("x", 1<<20), "short", strings.Repeat("y", 1<<20)}
	name := filepath.Join(t.TempDir(), "a.parquet")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := pq.NewGenericWriter[listed](f, pq.Compression(&pq.Zstd))
	for i := range rows {
		row := listed{int64(i), &texts[i%3], texts[:i%2]}
		if i%7 == 0 {
			row.Text = nil
		}
		if _, err := w.Write([]listed{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []record.Options{{Fields: []string{"text"}}, {Fields: []string{"n", "text"}}, {}} {
		t.Run(fmt.Sprint(opt.Fields), func(t *testing.T) {
			rd, err := record.NewReader(record.Input{Names: []string{name}}, opt)
			if err != nil {
				t.Fatal(err)
			}
			n, seen := 0, 0
			for b := new(record.Batch); ; {
				if err := rd.Next(b); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				b.Decode()
				size := 0
				for i := range b.Records {
					rec, want := &b.Records[i], texts[n%3]
					if n%7 == 0 {
						want = ""
					}
					null := rec.Err != nil && strings.Contains(rec.Err.Error(), `field "text" is null`)
					switch size += len(rec.Text); {
					case rec.Err != nil && !null:
						t.Fatal(rec.Err)
					case len(opt.Fields) > 0 && null != (n%7 == 0), !null && !bytes.Contains(rec.Text, []byte(want)):
						t.Fatalf("record %d has a text of %d bytes, error %v; want %d", n, len(rec.Text), rec.Err, len(want))
					case len(want) > 0:
						seen++
					}
					n++
				}
				if size > runBytes+2<<20 {
					t.Fatalf("%d records of %d bytes in a run", len(b.Records), size)
				}
			}
			if n != rows || seen < rows/2 {
				t.Errorf("%d records, %d with a text", n, seen)
			}
		})
	}
}
