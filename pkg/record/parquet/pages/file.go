// Package pages reads and writes the pages of Parquet files: it walks over
// their headers, decodes them, and copies them to another file as they are or
// without some of their rows.
//
// A file is a footer, which says where the chunks of columns lie, and chunks of
// pages, each behind a header. [Open] reads the footer. The headers of a chunk are
// walked over once, when it is first asked for, at the cost of a read of 512 bytes
// a page; so it is known in which page a row is. Pages are decompressed and looked
// through here, and decoded by parquet-go, of which nothing is believed (quirks.go).
//
// Nothing is allocated because a file says so. What a file of n bytes makes us
// allocate at once is at most 300·n for the footer, a page as large as it
// decompresses to, which is counted first if it claims more than 64 times its
// size, and for the values of a page, of which there may be 2^24 and eight a
// byte, 16 bytes each.
package pages

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A File is an open Parquet file. Its methods may be called by several
// goroutines at once.
type File struct {
	file   *os.File
	size   int64
	Meta   *format.FileMetaData // the footer, which is not to be changed
	lib    *pq.File             // of a footer by which the library reads what a feed serves
	leaves []*leaf
	Groups []*Group // the row groups
}

// Open reads the footer of a file.
func Open(f *os.File) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file := &File{file: f, size: info.Size()}
	if file.Meta, err = readMeta(f, file.size); err != nil {
		return nil, err
	}
	if file.lib, err = openLibrary(libraryMeta(file.Meta)); err != nil {
		return nil, fmt.Errorf("footer: %w", err)
	}
	if err := Guard(func() error { file.leaves = leavesOf(file.lib); return nil }); err != nil {
		return nil, fmt.Errorf("schema: %w", err) // a leaf of a type that groups have
	}
	for i := range file.Meta.RowGroups {
		g := &Group{file: file, Meta: &file.Meta.RowGroups[i], lib: file.lib.RowGroups()[i]}
		for j, l := range file.leaves {
			g.chunks = append(g.chunks, &chunk{group: g, leaf: l, index: j, meta: &g.Meta.Columns[j].MetaData})
		}
		file.Groups = append(file.Groups, g)
	}
	return file, nil
}

// openLibrary gives the library a footer.
func openLibrary(meta *format.FileMetaData) (file *pq.File, err error) {
	b, err := appendFooter([]byte(Magic), meta)
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

// Schema returns the schema. No column is of the null type.
func (f *File) Schema() *pq.Schema { return f.lib.Schema() }

// Like returns the schema by which the library writes a file like this one: with
// the codec and the encoding that the first chunk of each column has, but for
// booleans, which are plain; or, if one is given, with another codec.
func (f *File) Like(codec *Codec) (*pq.Schema, error) {
	meta := libraryMeta(f.Meta)
	for i := range meta.RowGroups {
		for j := range meta.RowGroups[i].Columns {
			meta.RowGroups[i].Columns[j].MetaData.Codec = codec.of(f.Meta.RowGroups[i].Columns[j].MetaData.Codec)
		}
	}
	file, err := openLibrary(meta)
	if err != nil {
		return nil, err
	}
	return file.Schema(), nil
}

// Root returns the schema as a tree of columns.
func (f *File) Root() *pq.Column { return f.lib.Root() }

// Columns returns how many columns have values.
func (f *File) Columns() int { return len(f.leaves) }

// Kind returns of what type the values of a column are in the file.
func (f *File) Kind(leaf int) pq.Kind { return f.leaves[leaf].kind }

// Texts reports whether a column is of texts, one a row at most: [Group.TextPage] reads it.
func (f *File) Texts(leaf int) bool {
	l := f.leaves[leaf]
	return l.kind == pq.ByteArray && l.rep == 0
}

// Flat reports whether no column is repeated, so that a page has as many values
// as rows.
func (f *File) Flat() bool {
	return !slices.ContainsFunc(f.leaves, func(l *leaf) bool { return l.rep > 0 })
}

// A leaf is a column that has values.
type leaf struct {
	column   *pq.Column
	rep, def int // the most levels of its values; with rep > 0 a row may have several values, or none
	kind     pq.Kind
	width    int // bytes of a plain value; 0 where they differ or are bits
}

// leavesOf returns the leaves of a file, in order.
func leavesOf(f *pq.File) (leaves []*leaf) {
	var walk func(c *pq.Column)
	walk = func(c *pq.Column) {
		for _, child := range c.Columns() {
			walk(child)
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
		leaves = append(leaves, l)
	}
	walk(f.Root())
	return leaves
}

// sound reports whether values are of the kind of the column, and there where
// they must be; those of a damaged page may be neither.
func (l *leaf) sound(values []pq.Value) bool {
	for _, v := range values {
		if null := v.DefinitionLevel() < l.def; null != v.IsNull() || !null && v.Kind() != l.kind {
			return false
		}
	}
	return true
}
