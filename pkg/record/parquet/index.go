package parquet

import (
	"errors"
	"io"
	"os"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Many writers make one large row group without an offset index: only who has
// decoded all pages before a row would find it. But how many rows a page has is
// in its header, and where the next one is too, so the index is made here, by a
// look at each header, and put behind the file, in memory, with a footer that
// knows of it.
//
// It costs a read of 512 bytes a page. To read 610 MB of text that pyarrow wrote
// as it does by default takes 2 cores .6 s instead of 3.5 with zstd, and .9
// instead of 5.8 with snappy; decompression is three quarters of what is left.

// An indexer makes indexes of what is wanted of a file.
type indexer struct {
	file  *os.File
	size  int64
	tail  []byte // what comes behind the file
	wants func(leaf int) bool
}

// index returns the file with an index of the wanted columns of all groups that
// are read in several runs. What is wrong with their pages shows when they are
// read: such have none.
func (s *source) index(f *os.File) (*pq.File, error) {
	x := &indexer{file: f, size: s.file.Size(), wants: s.wants}
	meta, leaves := *s.file.Metadata(), leavesOf(s.file)
	for i, g := range s.file.RowGroups() {
		if s.bytes(i) > runBytes && !s.indexed(g) {
			x.group(&meta.RowGroups[i], leaves)
		}
	}
	if len(x.tail) == 0 {
		return s.file, nil
	}
	return x.open(&meta)
}

func (x *indexer) group(meta *format.RowGroup, leaves []*leaf) {
	g := &group{meta: meta, rows: meta.NumRows}
	chunks, err := g.chunks(x.file, x.size, leaves)
	if err != nil {
		return
	}
	for i, c := range chunks {
		if to := &meta.Columns[i]; x.wants(i) && c.leaf.rep == 0 && to.OffsetIndexOffset == 0 {
			x.chunk(c, to)
		}
	}
}

// chunk appends the index of a chunk, and says where it is.
func (x *indexer) chunk(c *chunk, to *format.ColumnChunk) {
	index, err := c.locations()
	if err != nil {
		return
	}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), index)
	if err != nil {
		return
	}
	to.OffsetIndexOffset, to.OffsetIndexLength = x.size+int64(len(x.tail)), int32(len(b))
	x.tail = append(x.tail, b...)
}

// locations returns where the data pages of the chunk are.
func (c *chunk) locations() (*format.OffsetIndex, error) {
	index := new(format.OffsetIndex)
	for c.row < c.group.rows {
		p, err := c.pages.next()
		if err != nil {
			return nil, err
		}
		if p.data() {
			index.PageLocations = append(index.PageLocations, p.location(p.at, c.row))
			c.row += p.rows
		}
	}
	if c.row > c.group.rows {
		return nil, errors.New("more rows than the footer promised")
	}
	return index, nil
}

// open opens the file with what comes behind it.
func (x *indexer) open(meta *format.FileMetaData) (file *pq.File, err error) {
	if x.tail, err = appendFooter(x.tail, meta); err != nil {
		return nil, err
	}
	return openAt(x, x.size+int64(len(x.tail)))
}

// ReadAt reads the file, and then what comes behind it.
func (x *indexer) ReadAt(b []byte, at int64) (n int, err error) {
	if at < x.size {
		if n, err = x.file.ReadAt(b[:min(int64(len(b)), x.size-at)], at); n == len(b) || int64(n) < x.size-at {
			return n, err
		}
	}
	n += copy(b[n:], x.tail[min(at+int64(n)-x.size, int64(len(x.tail))):])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
