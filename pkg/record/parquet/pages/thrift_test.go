package pages

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

func header(t testing.TB) []byte {
	h := format.PageHeader{Type: format.DataPage, CompressedPageSize: 7, DataPageHeader: thrift.New(format.DataPageHeader{
		NumValues: 3, Statistics: format.Statistics{MinValue: []byte("a"), MaxValue: []byte("z")},
	})}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestUnmarshal(t *testing.T) {
	b := header(t)
	var h format.PageHeader
	if n, err := unmarshal(append(bytes.Clone(b), "more"...), &h); n != len(b) || err != nil || string(h.DataPageHeader.V.Statistics.MaxValue) != "z" {
		t.Error(n, err, h)
	}
	for n := range b {
		if _, err := unmarshal(b[:n], &h); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes of it: %v", n, err)
		}
	}
	for name, b := range map[string][]byte{
		"a list of 2^31":     {0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07},
		"a text of 2^40":     {0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f},
		"a map of 2^31":      {0x1b, 0xff, 0xff, 0xff, 0xff, 0x07, 0x55},
		"a type of nothing":  {0x1d, 0},
		"deep structures":    bytes.Repeat([]byte{0x1c}, 1000),
		"deep lists":         append([]byte{0x19}, bytes.Repeat([]byte{0x19}, 1000)...),
		"a number of 20":     append([]byte{0x15}, bytes.Repeat([]byte{0xff}, 20)...),
		"a field number far": {0x05, 0xff, 0xff, 0xff},
	} {
		if _, err := unmarshal(b, new(format.FileMetaData)); err == nil {
			t.Error(name, "is no error")
		}
	}
}

// FuzzUnmarshal compares thriftScanner with parquet-go: both must find the same size for a
// structure that thriftScanner accepts.
func FuzzUnmarshal(f *testing.F) {
	f.Add(header(f))
	f.Add([]byte{0x19, 0x2c, 0x15, 2, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		var s, h any = new(format.FileMetaData), new(format.PageHeader)
		for _, v := range []any{s, h} {
			if n, err := unmarshal(b, v); err == nil && (n <= 0 || n > len(b)) {
				t.Errorf("%d bytes of %d", n, len(b))
			}
		}
	})
}
