package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/format"
)

// Magic begins and ends every Parquet file.
const Magic = "PAR1"

// tailBytes is the number of bytes after the footer: the size of the footer in four bytes, and
// Magic.
const tailBytes = 8

// signatureBytes is the size of the signature after a footer that is not encrypted, in a file with
// encrypted columns.
const signatureBytes = 28

// readMeta reads the footer of a file of the given size, and checks everything that the other code
// relies on.
func readMeta(r io.ReaderAt, size int64) (*format.FileMetaData, rawFooter, error) {
	var raw rawFooter
	var tail [tailBytes]byte
	if size < int64(len(Magic)+len(tail)) {
		return nil, raw, errors.New("the file is too short for Parquet")
	}
	if err := readAt(r, tail[:], size-tailBytes); err != nil {
		return nil, raw, err
	}
	if end := string(tail[4:]); end == "PARE" {
		return nil, raw, errors.New("the footer is encrypted")
	} else if end != Magic {
		return nil, raw, fmt.Errorf("the file ends with %q, want %s: the file was truncated, or is not Parquet", end, Magic)
	}
	footer := int64(binary.LittleEndian.Uint32(tail[:]))
	if footer > size-tailBytes-int64(len(Magic)) {
		return nil, raw, fmt.Errorf("footer of %d bytes in a file of %d bytes: %w", footer, size, ErrDamaged)
	}
	b := make([]byte, footer)
	if err := readAt(r, b, size-tailBytes-footer); err != nil {
		return nil, raw, err
	}
	meta := new(format.FileMetaData)
	raw, err := readRaw(b)
	if err == nil {
		b, err = raw.completed(b)
	}
	n := 0
	if err == nil {
		n, err = unmarshal(b, meta)
	}
	if rest := len(b) - n; err == nil && rest > 0 && (rest != signatureBytes || meta.EncryptionAlgorithm.Value == nil) {
		err = fmt.Errorf("the footer has %d bytes after its end: %w", rest, ErrDamaged)
	}
	if err == nil {
		err = check(meta, size)
	}
	if err != nil {
		return nil, raw, fmt.Errorf("footer: %w", err)
	}
	return meta, raw, nil
}

// check returns an error if a file with the given footer and size cannot be read.
func check(meta *format.FileMetaData, size int64) error {
	leaves, err := checkSchema(meta.Schema)
	if err != nil {
		return err
	}
	// A page that repeats one value can claim any number of rows in a few bytes, so the number
	// of rows is limited.
	rows, maxRows := int64(0), 1<<24+size*1024
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		if len(g.Columns) != len(leaves) {
			return fmt.Errorf("row group %d has %d columns, want %d: %w", i, len(g.Columns), len(leaves), ErrDamaged)
		}
		for j := range leaves {
			// The metadata of an encrypted column may be encrypted, too.
			if c := &g.Columns[j]; c.CryptoMetadata.Value == nil && c.MetaData.Type != leaves[j].Type.V {
				return fmt.Errorf("row group %d: type of column %q differs from the schema: %w", i, leaves[j].Name, ErrDamaged)
			}
		}
		if g.NumRows < 0 || g.NumRows > maxRows-rows {
			return fmt.Errorf("row group %d has %d rows in a file of %d bytes: %w", i, g.NumRows, size, ErrDamaged)
		}
		rows += g.NumRows
	}
	return nil
}

// maxNesting limits the nesting of columns, because recursive functions use stack space for each
// level.
const maxNesting = 100

// checkSchema returns the leaves of a schema, or an error if its elements do not form a valid tree.
func checkSchema(schema []format.SchemaElement) (leaves []format.SchemaElement, err error) {
	open := []int32{1} // number of children still to come at each level
	for i, e := range schema {
		if i == 0 {
			e.Type.Valid = false // segmentio/parquet-go wrote a type for the root
		}
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
		if len(open) == 0 || len(open) > maxNesting {
			return nil, fmt.Errorf("the schema is not a tree, or too deep: %w", ErrDamaged)
		}
		open[len(open)-1]--
		switch {
		case e.Type.Valid && e.NumChildren.V > 0, e.NumChildren.V < 0:
			return nil, fmt.Errorf("column %q is neither a leaf nor a group: %w", e.Name, ErrDamaged)
		case e.Type.Valid:
			n, fixed := e.TypeLength.V, e.Type.V == format.FixedLenByteArray
			if e.Type.V < format.Boolean || e.Type.V > format.FixedLenByteArray || fixed && (n <= 0 || n > math.MaxInt16) {
				return nil, fmt.Errorf("column %q has the invalid type %d of %d bytes: %w", e.Name, e.Type.V, n, ErrDamaged)
			}
			leaves = append(leaves, e)
		default:
			open = append(open, e.NumChildren.V)
		}
	}
	if slices.Max(append(open, 0)) > 0 || len(schema) == 0 {
		return nil, fmt.Errorf("the schema lacks columns: %w", ErrDamaged)
	}
	return leaves, nil
}

// libraryMeta returns the footer that is passed to parquet-go instead of meta. It describes the
// chunks as a pageReaderAt serves them: uncompressed, and with a size that no chunk reaches.
func libraryMeta(meta *format.FileMetaData) *format.FileMetaData {
	m := &format.FileMetaData{Version: meta.Version, Schema: slices.Clone(meta.Schema), NumRows: meta.NumRows, ColumnOrders: meta.ColumnOrders}
	if len(m.Schema) > 0 {
		m.Schema[0].Type.Valid = false // see checkSchema
	}
	for i := range m.Schema {
		if _, ok := m.Schema[i].LogicalType.Value.(*format.NullType); ok {
			m.Schema[i].LogicalType = format.LogicalType{}
		}
	}
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		to := format.RowGroup{NumRows: g.NumRows, Ordinal: int16(i)}
		for j := range g.Columns {
			c := &g.Columns[j].MetaData
			// parquet-go writes values in the first encoding of this list, so the list
			// must not begin with an encoding of levels.
			ofValues := slices.DeleteFunc(slices.Clone(c.Encoding), func(e format.Encoding) bool { return e == format.RLE || e == format.BitPacked })
			to.Columns = append(to.Columns, format.ColumnChunk{MetaData: format.ColumnMetaData{
				Type: c.Type, Encoding: ofValues, PathInSchema: c.PathInSchema, NumValues: c.NumValues,
				TotalCompressedSize: math.MaxInt64 / 2,
			}})
		}
		m.RowGroups = append(m.RowGroups, to)
	}
	return m
}
