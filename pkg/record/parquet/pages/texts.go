package pages

import (
	"encoding/binary"
	"io"
	"math/bits"
	"sync"
	"sync/atomic"
	"weak"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// Most bytes of a dataset are in pages of texts. parquet-go copies each text twice, so this file
// decodes texts without it: a plain text is a slice of the decompressed page, and an index refers
// to a slice of the dictionary, which is decompressed once. Other encodings are decoded by
// parquet-go and stored as plain texts. The tests compare these texts with parquet-go's.
//
// On 300,000 records in 0.91 GB of uncompressed Parquet, recuniq --field text -d takes 1.0 s of
// processor time. When each run copied its texts, it took 4.0 s, of which 2.3 s were page faults.
// With zstd it takes 2.2 s; when each run copied its texts, it took 5.2 s. scripts/bench/RESULTS.md
// has more measurements.

// A TextPage is a page of texts, at most one per row, shared by several runs of rows. The first
// call of the method Each decodes the page; the last call of Release frees its memory for reuse.
type TextPage struct {
	chunk      *chunk
	page       *page
	first, End int64 // the page holds the rows [first, End) of the group
	Packed     bool  // the texts are in a dictionary, so they may have more bytes in total than the page
	users      atomic.Int32
	once       sync.Once
	texts      *textPage
	err        error
}

// TextPage returns the page that contains the given row of a column of texts. The caller must call
// Release when it is done with the page.
func (g *Group) TextPage(leaf int, row int64) (*TextPage, error) {
	c := g.chunks[leaf]
	if err := c.walkOnce(); err != nil {
		return nil, err
	}
	pages, first := c.pagesFrom(row)
	if len(pages) == 0 || row >= first+pages[0].values {
		return nil, c.fail(io.ErrUnexpectedEOF)
	}
	p := &TextPage{chunk: c, page: &pages[0], first: first, End: first + pages[0].values, Packed: pages[0].isIndexed()}
	p.users.Store(1)
	return p, nil
}

// Has reports whether the page contains the given row of g. A nil page contains no rows.
func (p *TextPage) Has(g *Group, row int64) bool {
	return p != nil && p.chunk.group == g && p.first <= row && row < p.End
}

// Hold returns the page, which then needs one more call of Release.
func (p *TextPage) Hold() *TextPage {
	p.users.Add(1)
	return p
}

// Release must be called once for the page that [Group.TextPage] returned, and once more for each
// call of Hold. The last call makes the texts invalid.
func (p *TextPage) Release() {
	if p != nil && p.users.Add(-1) == 0 && p.texts != nil {
		bodies.Put(p.texts.memory)
	}
}

// Each calls fn with the texts of those rows in [from, to) that the page contains, until fn returns
// false. Rows are numbered within the group. The text of a null is nil. The texts are shared, so
// they must not be changed. They are valid until the page is released.
func (p *TextPage) Each(from, to int64, fn func(row int64, text []byte) bool) error {
	p.once.Do(func() {
		if p.texts, p.err = p.chunk.open(p.page); p.err != nil {
			p.err = p.chunk.fail(p.err)
		}
	})
	if p.err != nil {
		return p.err
	}
	t, from, to := p.texts, max(from, p.first), min(to, p.End)
	row, at := 0, 0
	if i := int(from-p.first) / markRows; i < len(t.marks) {
		row, at = i*markRows, t.marks[i]
	}
	var text []byte
	for ; p.first+int64(row) < to; row++ {
		text, at = t.textAt(row, at)
		if r := p.first + int64(row); r >= from && !fn(r, text) {
			break
		}
	}
	return nil
}

// A textPage holds the values of a page of texts.
type textPage struct {
	memory  *[]byte     // memory of the values, from the pool bodies; values are invalid once it has been returned to the pool
	values  []byte      // texts in the plain encoding, each preceded by its length
	dict    *dictionary // nil if the texts are plain
	indexes []int32     // indexes of the texts in the dictionary
	levels  []byte      // definition level of each row; nil if no row is null
	most    int         // the definition level of values that are not null
	rows    int
	marks   []int // the position of every markRows-th row, for textAt
}

// markRows is the number of rows between two marks. To find a row, Each starts at the last mark
// before it and skips the rows between them.
const markRows = 1 << 10

// bodies is a pool of buffers for decompressed pages.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// open decompresses and checks a page of texts.
func (c *chunk) open(p *page) (t *textPage, err error) {
	t = &textPage{memory: bodies.Get().(*[]byte), most: c.leaf.def, rows: int(p.values)}
	switch {
	case p.isIndexed():
		err = t.decodeIndexes(c, p)
	case p.encoding == format.Plain:
		t.values, err = t.body(c, p)
	default:
		err = t.byLibrary(c, p)
	}
	if err != nil {
		bodies.Put(t.memory)
		return nil, err
	}
	for row, at := 0, 0; t.rows > markRows && row < t.rows; row++ {
		if row%markRows == 0 {
			t.marks = append(t.marks, at)
		}
		_, at = t.textAt(row, at)
	}
	return t, nil
}

// body decompresses and checks a page. It returns the encoded values, and stores the levels in t.
func (t *textPage) body(c *chunk, p *page) ([]byte, error) {
	b, err := c.inflated(p, *t.memory)
	if err != nil {
		return nil, err
	}
	*t.memory = b
	if c.group.file.hasPadding() && p.encoding == format.Plain {
		if b, err = trimTexts(b, p, c.leaf); err != nil {
			return nil, err
		}
	}
	if c.group.file.hasShortRuns() && p.isIndexed() {
		if b, err = padRuns(b, p, c.leaf); err != nil {
			return nil, err
		}
	}
	if err := c.audit(b, p); err != nil {
		return nil, err
	}
	_, def, values, err := p.splitLevels(b, c.leaf)
	if err == nil && t.most > 0 {
		width := bits.Len(uint(t.most))
		if count, _ := (&hybrid{def, width, t.rows}).count(uint32(t.most)); count < t.rows {
			t.levels, err = unpacked(def, width, t.rows)
		}
	}
	return values, err
}

// decodeIndexes decodes a page whose values are indexes of texts in the dictionary.
func (t *textPage) decodeIndexes(c *chunk, p *page) error {
	b, err := t.body(c, p)
	if err != nil {
		return err
	}
	if t.dict, err = c.dictionary(); err != nil {
		return err
	}
	n := t.rows
	for _, level := range t.levels {
		if int(level) < t.most {
			n--
		}
	}
	t.indexes = make([]int32, n)
	if n > 0 && b[0] > 0 {
		err = Guard(func() (err error) {
			t.indexes, err = (&rle.Encoding{BitWidth: int(b[0])}).DecodeInt32(t.indexes[:0], b[1:])
			return err
		})
	}
	if err != nil || len(t.indexes) < n {
		return ErrDamaged
	}
	t.indexes = t.indexes[:n]
	for _, i := range t.indexes {
		if uint64(uint32(i)) >= uint64(len(t.dict.starts)-1) {
			return ErrDamaged
		}
	}
	return nil
}

// byLibrary decodes a page with parquet-go and stores its texts in the plain encoding.
func (t *textPage) byLibrary(c *chunk, p *page) error {
	lib := c.decode([]page{*p})
	defer Guard(lib.Close)
	b := (*t.memory)[:0]
	n, err := eachValue(func() (pq.Page, error) { return readPage(lib) }, p.values, func(values []pq.Value) error {
		for _, v := range values {
			t.levels = append(t.levels, byte(v.DefinitionLevel()))
			if !v.IsNull() {
				text := v.ByteArray()
				b = append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
			}
		}
		return want(c.leaf.sound(values))
	})
	*t.memory, t.values = b, b
	if err == nil && n != p.values {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// level returns the definition level of a row.
func (t *textPage) level(row int) int {
	if t.levels == nil {
		return t.most
	}
	return int(t.levels[row])
}

// textAt returns the text of a row, or nil for a null, and the position of the next text. The
// caller passes the row and the position of its text. A position is an offset in t.values or, if
// the page uses a dictionary, an index in t.indexes.
func (t *textPage) textAt(row, at int) (text []byte, next int) {
	switch {
	case t.level(row) < t.most:
		return nil, at
	case t.dict != nil:
		d, i := t.dict, t.indexes[at]
		end := d.starts[i+1]
		return d.body[d.starts[i]+4 : end : end], at + 1
	}
	// The length is valid, because the page has been checked.
	next = at + 4 + int(binary.LittleEndian.Uint32(t.values[at:]))
	return t.values[at+4 : next : next], next
}

// A dictionary holds the texts to which the indexes of a chunk's pages refer. The texts are not
// copied for each row, because one text may be the value of a million rows.
type dictionary struct {
	body   []byte   // texts in the plain encoding, each preceded by its length
	starts []uint32 // the position of each text's length, and the end of the last text
}

// dictionary returns the dictionary of a chunk of texts. The chunk has only a weak pointer to it,
// so the dictionary takes memory only while the chunk is read. If the dictionary has been freed, it
// is read again.
func (c *chunk) dictionary() (*dictionary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.texts.Value(); d != nil {
		return d, nil
	}
	b, err := c.inflated(c.dict, nil)
	if err == nil {
		err = c.audit(b, c.dict)
	}
	if err != nil {
		return nil, err
	}
	d := &dictionary{body: b, starts: make([]uint32, 1, c.dict.values+1)}
	for at, n := uint32(0), c.dict.values; n > 0; n-- {
		at += 4 + binary.LittleEndian.Uint32(b[at:])
		d.starts = append(d.starts, at)
	}
	c.texts = weak.Make(d)
	return d, nil
}
