package pages

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go/format"
)

// The library lacks some types, such as null and float16, and writes the physical types
// of their values. The bytes of the values are right, so the schema of the file that
// is copied is put into the footer of the copy.

// A SchemaWriter is what the library writes a copy of a file to. It passes everything on
// until Hold, and at Close what came since then with the schema of the file.
type SchemaWriter struct {
	w    io.Writer
	like *File
	hold bool
	held []byte
}

// NewSchemaWriter returns a writer to w.
func NewSchemaWriter(w io.Writer, like *File) *SchemaWriter {
	return &SchemaWriter{w: w, like: like}
}

// Hold is called when nothing but the indexes and the footer is still to be written.
func (s *SchemaWriter) Hold() { s.hold = true }

func (s *SchemaWriter) Write(b []byte) (int, error) {
	if !s.hold {
		return s.w.Write(b)
	}
	s.held = append(s.held, b...)
	return len(b), nil
}

// Close writes the rest of the file.
func (s *SchemaWriter) Close() error {
	size := len(s.held) - tailBytes
	if size < 0 {
		return fmt.Errorf("a footer of %d bytes was written", len(s.held))
	}
	at := size - int(binary.LittleEndian.Uint32(s.held[size:]))
	if at < 0 {
		return fmt.Errorf("a footer of %d bytes was written", size-at)
	}
	meta := new(format.FileMetaData)
	if _, err := unmarshal(s.held[at:size], meta); err != nil {
		return err
	}
	if err := s.restore(meta); err != nil {
		return err
	}
	end, err := appendFooter(s.held[:at:at], meta)
	if err == nil {
		_, err = s.w.Write(end)
	}
	return err
}

// restore gives a footer the schema of the file. Bounds of a column whose type the library
// did not know are left out: it may have compared the values in another order.
func (s *SchemaWriter) restore(meta *format.FileMetaData) error {
	want := s.like.meta.Schema
	if len(meta.Schema) != len(want) {
		return fmt.Errorf("a schema of %d elements was written, not of %d", len(meta.Schema), len(want))
	}
	leaf := 0
	for i, e := range meta.Schema[1:] { // the root has no name that matters
		o := want[i+1]
		fixed := e.Type.V == format.FixedLenByteArray && e.TypeLength.V != o.TypeLength.V
		if e.Name != o.Name || e.Type != o.Type || fixed || e.RepetitionType != o.RepetitionType || e.NumChildren.V != o.NumChildren.V {
			return fmt.Errorf("column %q was written as %q: %v, not %v", o.Name, e.Name, e, o)
		}
		if !e.Type.Valid {
			continue
		}
		if o.LogicalType.Value != nil && !reflect.DeepEqual(e.LogicalType.Value, o.LogicalType.Value) {
			dropBounds(meta, leaf)
		}
		leaf++
	}
	meta.Schema = want
	return nil
}

// dropBounds leaves out the least and the greatest value of a column, and those of the
// pages of all columns, since the library cannot open a file that has some of these.
func dropBounds(meta *format.FileMetaData, leaf int) {
	for i := range meta.RowGroups {
		columns := meta.RowGroups[i].Columns
		s := &columns[leaf].MetaData.Statistics
		*s = format.Statistics{NullCount: s.NullCount}
		for j := range columns {
			columns[j].ColumnIndexOffset, columns[j].ColumnIndexLength = 0, 0
		}
	}
}
