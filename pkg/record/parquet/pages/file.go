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
	meta   *format.FileMetaData
	lib    *pq.File // of a footer by which the library reads what a feed serves
	leaves []*leaf
	groups []*Group
}

// Open reads the footer of a file.
func Open(f *os.File) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file := &File{file: f, size: info.Size()}
	if file.meta, err = readMeta(f, file.size); err != nil {
		return nil, err
	}
	if file.lib, err = openLibrary(libraryMeta(file.meta)); err != nil {
		return nil, fmt.Errorf("footer: %w", err)
	}
	if err := Guard(func() error { file.leaves = leavesOf(file.lib); return nil }); err != nil {
		return nil, fmt.Errorf("schema: %w", err) // a leaf of a type that groups have
	}
	for i := range file.meta.RowGroups {
		file.groups = append(file.groups, newGroup(file, i))
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

// Meta returns the footer, which is not to be changed.
func (f *File) Meta() *format.FileMetaData { return f.meta }

// Schema returns the schema. No column is of the null type.
func (f *File) Schema() *pq.Schema { return f.lib.Schema() }

// Like returns the schema by which the library writes a file like this one: with
// the codec and the encoding that the first chunk of each column has, but for
// booleans, which are plain; or, if one is given, with another codec.
func (f *File) Like(codec *Codec) (*pq.Schema, error) {
	meta := libraryMeta(f.meta)
	for i := range meta.RowGroups {
		for j := range meta.RowGroups[i].Columns {
			meta.RowGroups[i].Columns[j].MetaData.Codec = codec.of(f.meta.RowGroups[i].Columns[j].MetaData.Codec)
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

// Groups returns the row groups.
func (f *File) Groups() []*Group { return f.groups }

// Columns returns how many columns have values.
func (f *File) Columns() int { return len(f.leaves) }

// Kind returns of what type the values of a column are in the file.
func (f *File) Kind(leaf int) pq.Kind { return f.leaves[leaf].kind }

// Texts reports whether a column is of texts, one a row at most: [Group.TextPage] reads it.
func (f *File) Texts(leaf int) bool {
	l := f.leaves[leaf]
	return l.kind == pq.ByteArray && !l.repeated()
}

// Flat reports whether no column is repeated, so that a page has as many values
// as rows.
func (f *File) Flat() bool {
	return !slices.ContainsFunc(f.leaves, (*leaf).repeated)
}
