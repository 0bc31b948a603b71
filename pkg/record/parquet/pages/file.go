// Package pages reads and writes the pages of Parquet files: it walks over their headers,
// decodes them, and copies them to another file unchanged or without some of their rows.
//
// A file consists of chunks and a footer. A chunk is a sequence of pages, each preceded by its
// header. The footer has the positions of the chunks of each column. [Open] reads the footer. The
// headers of a chunk are read once, when the chunk is first used, with a read of 512 bytes per
// page, to find the page of each row. Pages are decompressed and checked here, and decoded by
// parquet-go; parquet-go's output is never trusted (see quirks.go).
//
// No allocation relies on a size stated in the file. Reading the footer of a file of n bytes
// allocates at most 300·n bytes at once. Reading a page allocates memory for the decompressed page,
// plus 16 bytes for each value. If the stated size is more than 1 MiB and more than 64 times the
// compressed size, the actual size is determined before memory is allocated. A page may have at
// most 2^24 values, plus eight values for each byte of its decompressed size.
package pages

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A File is an open Parquet file. Its methods may be called by several goroutines concurrently.
type File struct {
	file   *os.File
	size   int64
	Meta   *format.FileMetaData // the footer; it must not be changed
	raw    rawFooter            // parts of the footer as they are in the file
	lib    *pq.File             // parquet-go's view of the file, with the footer that libraryMeta returns
	leaves []*leaf
	types  []format.LogicalTypeValue // logical types of the leaves
	Groups []*Group                  // the row groups, in the order of the file
}

// Open reads and checks the footer of f, which must stay open while the File is in use.
func Open(f *os.File) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file := &File{file: f, size: info.Size()}
	if file.Meta, file.raw, err = readMeta(f, file.size); err != nil {
		return nil, err
	}
	if file.lib, err = openLibrary(libraryMeta(file.Meta)); err != nil {
		return nil, fmt.Errorf("footer: %w", err)
	}
	if err := Guard(func() error { file.leaves = leavesOf(file.lib); return nil }); err != nil {
		return nil, fmt.Errorf("schema: %w", err) // for example, if a leaf has a type that only groups may have
	}
	file.types = typesOf(file.leaves, file.Meta.Schema)
	for i := range file.Meta.RowGroups {
		g := &Group{file: file, Meta: &file.Meta.RowGroups[i], lib: file.lib.RowGroups()[i]}
		for j, l := range file.leaves {
			g.chunks = append(g.chunks, &chunk{group: g, leaf: l, index: j, meta: &g.Meta.Columns[j].MetaData})
		}
		file.Groups = append(file.Groups, g)
	}
	return file, nil
}

// openLibrary makes parquet-go open a file that consists only of a footer.
func openLibrary(meta *format.FileMetaData) (file *pq.File, err error) {
	b, err := appendFooter([]byte(Magic), meta, nil)
	if err != nil {
		return nil, err
	}
	err = Guard(func() error {
		file, err = pq.OpenFile(bytes.NewReader(b), int64(len(b)), pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
		return err
	})
	return file, err
}

// Name returns the name of the file.
func (f *File) Name() string { return f.file.Name() }

// Schema returns the schema of the file, in which a column of the null type has only its physical
// type.
func (f *File) Schema() *pq.Schema { return f.lib.Schema() }

// Like returns a schema that makes parquet-go write a file with the columns of f. Each column gets
// the encoding of its first chunk, except that booleans get the plain encoding. If codec is nil,
// each column is compressed with the codec of its first chunk, and otherwise with the given codec.
// Groups have no logical type in the schema, because parquet-go writes only lists and maps of one
// form; a SchemaWriter restores the types.
func (f *File) Like(codec *Codec) (*pq.Schema, error) {
	meta := libraryMeta(f.Meta)
	for i := range meta.Schema {
		if e := &meta.Schema[i]; !e.Type.Valid {
			e.LogicalType, e.ConvertedType = format.LogicalType{}, thrift.Null[deprecated.ConvertedType]{}
		}
	}
	for i := range meta.RowGroups {
		for j := range meta.RowGroups[i].Columns {
			meta.RowGroups[i].Columns[j].MetaData.Codec = codec.codecFor(f.Meta.RowGroups[i].Columns[j].MetaData.Codec)
		}
	}
	file, err := openLibrary(meta)
	if err != nil {
		return nil, err
	}
	return file.Schema(), nil
}

// Root returns the root of the schema as a tree of columns.
func (f *File) Root() *pq.Column { return f.lib.Root() }

// Columns returns the number of leaves, which are the columns with values.
func (f *File) Columns() int { return len(f.leaves) }

// Kind returns the physical type of the values of a column.
func (f *File) Kind(leaf int) pq.Kind { return f.leaves[leaf].kind }

// Texts reports whether a column has texts, at most one per row, so that [Group.TextPage] can read
// it.
func (f *File) Texts(leaf int) bool {
	l := f.leaves[leaf]
	switch f.Types()[leaf].(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return l.kind == pq.ByteArray && l.rep == 0
	}
	return false
}

// Types returns the logical types of the columns, nil for columns without one. They come from the
// footer, because parquet-go lacks some of them.
func (f *File) Types() []format.LogicalTypeValue { return f.types }

// typesOf returns the logical types of the leaves in the footer.
func typesOf(leaves []*leaf, schema []format.SchemaElement) (types []format.LogicalTypeValue) {
	for _, e := range schema {
		if !e.Type.Valid || len(types) == len(leaves) {
			continue
		}
		t := e.LogicalType.Value
		if known := leaves[len(types)].column.Type().LogicalType(); t == nil && known != nil {
			t = known.Value // from the converted type that older writers give instead
		}
		types = append(types, t)
	}
	return append(types, make([]format.LogicalTypeValue, len(leaves)-len(types))...)
}

// Flat reports whether no column is repeated, so that each page has as many values as rows.
func (f *File) Flat() bool {
	return !slices.ContainsFunc(f.leaves, func(l *leaf) bool { return l.rep > 0 })
}

// A leaf is a column with values.
type leaf struct {
	column   *pq.Column
	rep, def int // the maximum repetition and definition levels; if rep > 0, a row may have several values or none
	kind     pq.Kind
	width    int // size of a plain value in bytes; 0 for booleans and for values of variable size

	depths []int // for each definition level, the number of present nodes on the path to the leaf
	shared int   // number of nodes that this path shares with the path to the previous leaf
}

// leavesOf returns the leaves of a file, in order.
func leavesOf(f *pq.File) (leaves []*leaf) {
	var walk func(c *pq.Column)
	var path, previous []*pq.Column
	walk = func(c *pq.Column) {
		for _, child := range c.Columns() {
			path = append(path, child)
			walk(child)
			path = path[:len(path)-1]
		}
		if !c.Leaf() {
			return
		}
		l := &leaf{column: c, rep: c.MaxRepetitionLevel(), def: c.MaxDefinitionLevel(), kind: c.Type().Kind()}
		switch l.kind {
		case pq.Int32, pq.Float:
			l.width = 4
		case pq.Int64, pq.Double:
			l.width = 8
		case pq.Int96:
			l.width = 12
		case pq.FixedLenByteArray:
			l.width = c.Type().Length()
		}
		for i, above := range path {
			if !above.Required() {
				l.depths = append(l.depths, i)
			}
			if l.shared == i && i < len(previous) && previous[i] == above {
				l.shared++
			}
		}
		l.depths = append(l.depths, len(path))
		previous = slices.Clone(path)
		leaves = append(leaves, l)
	}
	walk(f.Root())
	return leaves
}

// AppendRow appends a text that contains the values of a row. Different rows have different texts, and
// equal rows of files with a unified schema have the same text: see [Unify]. For each value, the text
// has the repetition level, the number of present nodes on the path to the value, and the kind, length
// and bytes of the value. A null above several leaves is written once.
func (f *File) AppendRow(dst []byte, row pq.Row) []byte {
	for i, v := range row {
		l := f.leaves[v.Column()]
		depth := l.depths[v.DefinitionLevel()]
		if v.IsNull() {
			single := v.RepetitionLevel() == 0 && (i+1 == len(row) || row[i+1].Column() != v.Column())
			if single && depth < l.shared && f.nullAt(row[i-1], depth) {
				continue
			}
			dst = append(dst, byte(v.RepetitionLevel()), byte(depth))
			continue
		}
		dst = append(dst, byte(v.RepetitionLevel()), byte(depth)|nodeEnd, byte(v.Kind()))
		at := len(dst)
		dst = v.AppendBytes(append(dst, 0, 0, 0, 0, 0, 0, 0, 0))
		binary.LittleEndian.PutUint64(dst[at:], uint64(len(dst)-at-8))
	}
	return dst
}

// nodeEnd marks a value that is not null. Paths have at most maxNesting nodes.
const nodeEnd = 1 << 7

// nullAt reports whether a value is the only one of its leaf in a row, and null at the given depth.
func (f *File) nullAt(v pq.Value, depth int) bool {
	return v.IsNull() && v.RepetitionLevel() == 0 && f.leaves[v.Column()].depths[v.DefinitionLevel()] == depth
}

// sound reports whether values have the kind of the column, and are null exactly where their
// definition levels say so. A damaged page may contain values of another kind, or nulls that
// contradict the levels.
func (l *leaf) sound(values []pq.Value) bool {
	for _, v := range values {
		if null := v.DefinitionLevel() < l.def; null != v.IsNull() || !null && v.Kind() != l.kind {
			return false
		}
	}
	return true
}
