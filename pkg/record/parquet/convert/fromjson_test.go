package convert

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
)

// TestGroups checks that a file of many row groups has all lines in their order, and that its bytes
// do not depend on the number of goroutines.
func TestGroups(t *testing.T) {
	var want []byte
	for _, jobs := range []int{1, 2, 3, 7, 16} {
		var b bytes.Buffer
		w := NewLineWriter(&b, &pq.Zstd, jobs)
		w.most = 1000
		for n := range 2000 {
			line := fmt.Sprintf(`{"n":%d,"text":%q,"list":[%d,null]}`, n, strings.Repeat("x", n%300), n)
			if err := w.WriteLine([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = b.Bytes()
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d goroutines: another file", jobs)
		}
	}
	f, err := pq.OpenFile(bytes.NewReader(want), int64(len(want)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.RowGroups()); n < 100 || f.NumRows() != 2000 {
		t.Errorf("%d groups, %d rows", n, f.NumRows())
	}
	r, rows := pq.NewReader(f), make([]pq.Row, 1)
	for n := range int64(2000) {
		if _, err := r.ReadRows(rows); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if got := rows[0][2].Int64(); got != n { // after the two values of the list
			t.Fatalf("row %d has the number %d", n, got)
		}
	}
}

// TestGroupsFail checks that an error of the writer is returned.
func TestGroupsFail(t *testing.T) {
	w := NewLineWriter(fullWriter{}, &pq.Uncompressed, 3)
	w.most = 10
	for range 100 {
		if err := w.WriteLine([]byte(`{"a":"text"}`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != errFull {
		t.Errorf("%v, want %v", err, errFull)
	}
}

var errFull = fmt.Errorf("full")

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, errFull }
