// Package faults reproduces faults of github.com/parquet-go/parquet-go v0.32.0, for reports to
// its authors. Each function that reproduces a fault needs only the library. The list of
// workarounds in pkg/record/parquet/pages/quirks.go uses the same names of faults.
package faults

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// A report describes a fault.
type report struct {
	name      string // name of the fault in quirks.go
	want      string
	reproduce func(t *testing.T) string // returns what the library does wrong, or "" if it is correct
}

var reports = []report{
	{"panics", "a file with one byte changed is an error, or other values", panics},
	{"claims", "a list in a footer of a few bytes is not allocated as it claims", claims},
	{"LZ4_RAW", "pages that grow more than threefold are read as they were written", growth},
	{"RLE", "a run of trues decodes to as many trues", trues},
	{"RLE", "a run of trues is written with the value 1", booleans},
	{"statistics", "a null count that is not known is not written as 0", statistics},
}

// TestReports fails once the library is fixed, so that the workaround can be removed.
func TestReports(t *testing.T) {
	for _, r := range reports {
		t.Run(r.name+"/"+r.want, func(t *testing.T) {
			got := r.reproduce(t)
			if t.Log(got); got == "" {
				t.Error("mended: see quirks.go for what can go")
			}
		})
	}
}

type row struct {
	A string `parquet:"a"`
	B string `parquet:"b"`
}

func written(t *testing.T, rows []row, options ...pq.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[row](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(b []byte) (rows []row, err error) {
	f, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	r := pq.NewGenericReader[row](f)
	defer r.Close()
	rows = make([]row, f.NumRows())
	for n := 0; n < len(rows); {
		k, err := r.Read(rows[n:])
		if n += k; err == io.EOF || k == 0 {
			return rows[:n], nil
		} else if err != nil {
			return rows[:n], err
		}
	}
	return rows, nil
}

func panics(t *testing.T) string {
	whole := written(t, []row{{"one", "two"}, {"three", "four"}})
	var found []string
	for at := 4; at < len(whole)-8; at++ {
		b := bytes.Clone(whole)
		b[at] ^= 0xff
		func() {
			defer func() {
				if p := recover(); p != nil {
					found = append(found, fmt.Sprintf("byte %d: %v", at, p))
				}
			}()
			read(b)
		}()
	}
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d bytes, as %s", len(found), len(whole)-12, found[0])
}

func claims(t *testing.T) string {
	// The footer contains a version and the header of a schema with 2^20 elements, but none of the
	// elements.
	footer := []byte{0x15, 2, 0x19, 0xfc, 0x80, 0x80, 0x40}
	b := append([]byte("PAR1"), footer...)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(footer))), "PAR1"...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := read(b)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		return fmt.Sprintf("%d bytes were allocated for a file of %d: %v", n, len(b), err)
	}
	return ""
}

func growth(t *testing.T) string {
	type row struct {
		N int64 `parquet:"n,plain"`
	}
	rows := slices.Repeat([]row{{7}}, 100_000)
	for i := range 30_000 {
		rows[i].N = int64(uint64(i) * 0x9e3779b97f4a7c15)
	}
	reread := func(codec compress.Codec) (got []row, err error) {
		var b bytes.Buffer
		w := pq.NewGenericWriter[row](&b, pq.Compression(codec), pq.PageBufferSize(1<<14))
		_, err = w.Write(rows)
		if err = errors.Join(err, w.Close()); err != nil {
			return nil, err
		}
		return pq.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
	}
	if got, err := reread(&pq.Snappy); err != nil || !slices.Equal(got, rows) {
		t.Fatal("snappy has it too", err)
	}
	got, err := reread(&pq.Lz4Raw)
	different := 0
	for i := range got {
		if got[i] != rows[i] {
			different++
		}
	}
	if different == 0 && len(got) == len(rows) && err == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d values are others, error %v", different, len(got), err)
}

func trues(t *testing.T) string {
	// The input is a run of 16 true values: the size of what follows in bytes (2), twice the number
	// of values, and the value.
	got, err := (&rle.Encoding{BitWidth: 1}).DecodeBoolean(nil, []byte{2, 0, 0, 0, 16 << 1, 1})
	if err == nil && bytes.Equal(got, []byte{0xff, 0xff}) {
		return ""
	}
	return fmt.Sprintf("%x, %v", got, err)
}

func booleans(t *testing.T) string {
	e := &rle.Encoding{BitWidth: 1}
	b, err := e.EncodeBoolean(nil, []byte{0xff, 0xff})
	if err != nil {
		return err.Error()
	}
	if bytes.Equal(b, []byte{2, 0, 0, 0, 16 << 1, 1}) {
		return ""
	}
	return fmt.Sprintf("%x", b)
}

func statistics(t *testing.T) string {
	if f, _ := reflect.TypeFor[format.Statistics]().FieldByName("NullCount"); f.Type.Kind() == reflect.Int64 {
		return "format.Statistics.NullCount is an int64, so that unknown is written as 0"
	}
	return ""
}
