package parquet

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// TestMeter checks the progress that is reported while Parquet is read, and while rows are copied.
func TestMeter(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.parquet", "b.parquet"} {
		writeFlats(t, filepath.Join(dir, name), flats(500), 100)
	}
	for _, tc := range []struct {
		name  string
		names []string
		kind  string // the output format; if "", records are only read
		times int64  // how often the total includes the size of each file
	}{
		{"read", []string{filepath.Join(dir, "a.parquet")}, "", 1},
		{"a directory", []string{dir}, "", 1},
		{"copied", []string{dir}, "parquet", 2},
		{"as lines", []string{dir}, "jsonl", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var m record.Meter
			if !m.Expect(&record.Input{Names: tc.names}) {
				t.Fatal("the size is not known")
			}
			_, size, _ := m.Far()
			shares := metered(t, record.Input{Names: tc.names, Meter: &m}, tc.kind)
			if read, total, ok := m.Far(); !ok || read != total || total != tc.times*size {
				t.Errorf("read %d of %d, known: %v", read, total, ok)
			}
			if len(shares) < 5 || shares[0] <= 0 || shares[0] >= shares[len(shares)-1] {
				t.Errorf("the shares are %v", shares)
			}
		})
	}
}

// metered reads all records, and returns the progress after each call of Next. It writes the
// records in the given format; if this is "", it only reads them.
func metered(t *testing.T, in record.Input, kind string) (shares []float64) {
	t.Helper()
	rd, err := record.NewReader(in, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var sink *write.Sink
	if kind != "" {
		sink = write.New(rd, io.Discard, dataform.Form{Kind: dataform.KindNamed(kind)}, nil)
	}
	var b record.Batch
	for err = rd.Next(&b); err == nil; err = rd.Next(&b) {
		read, total, _ := in.Meter.Far()
		shares = append(shares, float64(read)/float64(total))
		b.Decode()
		for i := range b.Records {
			if kind != "" {
				err = errors.Join(err, sink.Keep(&b.Records[i]))
			}
		}
	}
	if err == io.EOF {
		err = nil
	}
	if kind != "" && err == nil {
		err = sink.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return shares
}

// TestMeterOfPipe checks that the total is unknown if an input is a pipe.
func TestMeterOfPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.parquet")
	writeFlats(t, name, flats(10), 5)
	data, err := os.ReadFile(name)
	var m record.Meter
	if err != nil || m.Expect(&record.Input{Names: []string{"-"}, Stdin: struct{ io.Reader }{bytes.NewReader(data)}}) {
		t.Error("the size of a pipe is known", err)
	}
}
