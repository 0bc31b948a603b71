package pages

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go/format"
)

// parquet-go does not support some types, such as null and float16, and writes the physical types
// of their values to the schema. The bytes of the values are right, so it is enough to put the
// schema of the copied file into the footer of the copy.

// A SchemaWriter is the writer to which parquet-go writes a file. It replaces the schema and the
// metadata in the footer with those of the file s.Like.
type SchemaWriter struct {
	W    io.Writer
	Like *File
	hold bool   // Write appends to held, because parquet-go writes only the indexes and the footer from now on
	held []byte // the indexes and the footer
}

func (s *SchemaWriter) Write(b []byte) (int, error) {
	if !s.hold {
		return s.W.Write(b)
	}
	s.held = append(s.held, b...)
	return len(b), nil
}

// Close closes parquet-go's writer, and writes the indexes and the footer with the schema of the
// file s.Like. All row groups must have been written.
func (s *SchemaWriter) Close(library io.Closer) error {
	s.hold = true
	if err := Guard(library.Close); err != nil {
		return err
	}
	size := len(s.held) - tailBytes
	if size < 0 {
		return fmt.Errorf("written footer has only %d bytes", len(s.held))
	}
	at := size - int(binary.LittleEndian.Uint32(s.held[size:]))
	if at < 0 {
		return fmt.Errorf("written footer has only %d bytes", size-at)
	}
	meta := new(format.FileMetaData)
	if _, err := unmarshal(s.held[at:size], meta); err != nil {
		return err
	}
	if err := s.restore(meta); err != nil {
		return err
	}
	end, err := appendFooter(s.held[:at:at], meta, &s.Like.raw)
	if err == nil {
		_, err = s.W.Write(end)
	}
	return err
}

// restore replaces the schema in a footer with the schema of the file s.Like. It removes the bounds
// of columns with types that parquet-go does not know, because parquet-go may have used another
// order to compare their values.
func (s *SchemaWriter) restore(meta *format.FileMetaData) error {
	want := s.Like.Meta.Schema
	if len(meta.Schema) != len(want) {
		return fmt.Errorf("written schema has %d elements, want %d", len(meta.Schema), len(want))
	}
	leaf := 0
	for i, e := range meta.Schema[1:] { // the name of the root does not matter
		o := want[i+1]
		fixed := e.Type.V == format.FixedLenByteArray && e.TypeLength.V != o.TypeLength.V
		if e.Name != o.Name || e.Type != o.Type || fixed || e.RepetitionType != o.RepetitionType || e.NumChildren.V != o.NumChildren.V {
			return fmt.Errorf("column %q was written as %q: %v, want %v", o.Name, e.Name, e, o)
		}
		if !e.Type.Valid {
			continue
		}
		unknown := o.LogicalType.Value == nil && hasField(s.Like.raw.schema[i+1], logicalTypeField)
		if unknown || o.LogicalType.Value != nil && !reflect.DeepEqual(e.LogicalType.Value, o.LogicalType.Value) {
			for _, g := range meta.RowGroups {
				m := &g.Columns[leaf].MetaData
				m.Statistics = format.Statistics{NullCount: m.Statistics.NullCount}
				// parquet-go cannot open a file in which only some columns have a column index.
				for j := range g.Columns {
					g.Columns[j].ColumnIndexOffset, g.Columns[j].ColumnIndexLength = 0, 0
				}
			}
		}
		leaf++
	}
	meta.Schema, meta.KeyValueMetadata = want, s.Like.Meta.KeyValueMetadata
	return nil
}
