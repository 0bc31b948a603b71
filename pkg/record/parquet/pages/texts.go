package pages

import (
	"encoding/binary"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// Most of a dataset is pages of texts. The library copies each text twice, so texts
// are not decoded by it: a plain text is a slice of the decompressed page, an index
// one of the dictionary, which is decompressed once and never unpacked. Other
// encodings are decoded by the library and kept as plain texts. The library is the
// oracle of the tests.
//
// Measured: recuniq --field text -d of 300,000 records in .91 GB of uncompressed Parquet took
// 4.0 s of the processor while each run copied its texts, of which 2.3 s were page faults, and
// takes 1.0 s; of the same in zstd 5.2 s, and 2.2 s. RESULTS.md of scripts/bench has more.

// A TextPage is a page of texts, one a row at most, that several runs of rows
// share. The first call of Each decodes it; the last Release gives its memory back.
type TextPage struct {
	chunk      *chunk
	page       *page
	first, end int64 // rows of the group
	users      atomic.Int32
	once       sync.Once
	texts      *textPage
	err        error
}

// TextPage returns the page that has a row of a column of texts. The caller holds it
// once.
func (g *Group) TextPage(leaf int, row int64) (*TextPage, error) {
	c := g.chunks[leaf]
	if err := c.look(); err != nil {
		return nil, err
	}
	pages, first := c.from(row)
	if len(pages) == 0 || row >= first+pages[0].values {
		return nil, c.fail(io.ErrUnexpectedEOF)
	}
	p := &TextPage{chunk: c, page: &pages[0], first: first, end: first + pages[0].values}
	p.users.Store(1)
	return p, nil
}

// Has reports whether the page has a row of a group.
func (p *TextPage) Has(g *Group, row int64) bool {
	return p != nil && p.chunk.group == g && p.first <= row && row < p.end
}

// End returns the row of the group after the last of the page.
func (p *TextPage) End() int64 { return p.end }

// Packed reports whether the texts may take more than the page: they are in a
// dictionary.
func (p *TextPage) Packed() bool { return p.page.index() }

// Hold adds a user, and returns the page.
func (p *TextPage) Hold() *TextPage {
	p.users.Add(1)
	return p
}

// Release is called once by each user. After the last call no text is valid.
func (p *TextPage) Release() {
	if p != nil && p.users.Add(-1) == 0 && p.texts != nil {
		p.texts.close()
	}
}

// Each calls fn with the texts of the rows of the group between two, as far as the page
// has them, until fn returns false. The text of a null is nil. Texts are shared, so they
// must not be changed, and are valid until the page is released.
func (p *TextPage) Each(from, to int64, fn func(row int64, text []byte) bool) error {
	p.once.Do(func() {
		if p.texts, p.err = p.chunk.open(p.page); p.err != nil {
			p.err = p.chunk.fail(p.err)
		}
	})
	if p.err != nil {
		return p.err
	}
	t, from, to := p.texts, max(from, p.first), min(to, p.end)
	row, at := t.near(int(from - p.first))
	var text []byte
	for ; p.first+int64(row) < to; row++ {
		text, at = t.take(row, at)
		if r := p.first + int64(row); r >= from && !fn(r, text) {
			break
		}
	}
	return nil
}

// plainTexts reports whether the values of a page are plain texts, one a row at most,
// with nothing after the last one.
func (c *chunk) plainTexts(p *page) bool {
	l := c.leaf
	return p.data() && p.encoding == format.Plain && l.kind == pq.ByteArray && l.rep == 0 && !c.group.file.pads()
}

// A textPage is the values of a page of texts.
type textPage struct {
	memory  *[]byte     // of bodies: what values are in
	values  []byte      // plain texts, each with its length before it
	dict    *dictionary // nil: texts are plain
	indexes []int32     // of texts in the dictionary
	levels  []byte      // of definition, a row each; nil: no row is null
	most    int         // the level of what is not null
	rows    int
	marks   []int // the position of every markRows-th row
}

// markRows is how many rows are walked over at most to find one.
const markRows = 1 << 10

// bodies is memory for decompressed pages.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// open decompresses a page of texts and looks it through.
func (c *chunk) open(p *page) (t *textPage, err error) {
	t = &textPage{memory: bodies.Get().(*[]byte), most: c.leaf.def, rows: int(p.values)}
	switch {
	case p.index():
		err = t.index(c, p)
	case p.encoding == format.Plain:
		err = t.plain(c, p)
	default:
		err = t.byLibrary(c, p)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	if t.rows > markRows {
		t.mark()
	}
	return t, nil
}

// close gives the memory back: no value is valid any more.
func (t *textPage) close() { bodies.Put(t.memory) }

// body returns the values of a page, without the levels, which are taken out.
func (t *textPage) body(c *chunk, p *page) ([]byte, error) {
	b, err := c.inflated(p, *t.memory)
	if err != nil {
		return nil, err
	}
	*t.memory = b
	if c.group.file.pads() && p.encoding == format.Plain {
		if b, err = trimTexts(b, p, c.leaf); err != nil {
			return nil, err
		}
	}
	if err := (&feed{chunk: c}).audit(b, p); err != nil {
		return nil, err
	}
	_, def, values, err := p.cut(b, c.leaf)
	if err == nil && c.leaf.def > 0 {
		t.levels, err = expand(def, levelBits(c.leaf.def), t.rows, byte(c.leaf.def))
	}
	return values, err
}

// inflated returns the body of a page, decompressed, in dst if that has room for it.
func (c *chunk) inflated(p *page, dst []byte) ([]byte, error) {
	codec := c.meta.Codec
	if codec != format.Uncompressed {
		f := &feed{chunk: c}
		if err := f.load(p); err != nil {
			return nil, err
		}
		dst = slices.Grow(dst[:0], int(p.plain))[:p.plain]
		return dst, f.inflate(dst, p)
	}
	if err := p.checkSize(nil, codec); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], int(p.plain))[:p.plain]
	if err := readAt(c.group.file.file, dst, p.at+p.head); err != nil {
		return nil, err
	}
	return dst, p.checkSum(dst)
}

func (t *textPage) plain(c *chunk, p *page) (err error) {
	t.values, err = t.body(c, p)
	return err
}

// index decodes the indexes of a page whose texts are in the dictionary.
func (t *textPage) index(c *chunk, p *page) error {
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
		if uint64(uint32(i)) >= uint64(t.dict.size()) {
			return ErrDamaged
		}
	}
	return nil
}

// byLibrary keeps the texts that the library decodes as plain ones.
func (t *textPage) byLibrary(c *chunk, p *page) error {
	lib := c.decode([]page{*p})
	defer Guard(lib.Close)
	page, err := readPage(lib)
	if err != nil {
		return err
	}
	defer pq.Release(page)
	b := (*t.memory)[:0]
	n, err := eachValue(page, p.values, func(values []pq.Value) error {
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

// expand returns the levels of a hybrid that is whole, or nil if all are the largest.
func expand(b []byte, width, n int, largest byte) ([]byte, error) {
	if count, _ := (&hybrid{b, width, n}).count(uint32(largest)); count == n {
		return nil, nil
	}
	return unpacked(b, width, n)
}

// mark finds the position of every markRows-th row.
func (t *textPage) mark() {
	at := 0
	for row := range t.rows {
		if row%markRows == 0 {
			t.marks = append(t.marks, at)
		}
		_, at = t.take(row, at)
	}
}

// near returns a row that is at most markRows before another, and its position.
func (t *textPage) near(row int) (before, at int) {
	if i := row / markRows; i < len(t.marks) {
		return i * markRows, t.marks[i]
	}
	return 0, 0
}

// level returns the definition level of a row.
func (t *textPage) level(row int) int {
	if t.levels == nil {
		return t.most
	}
	return int(t.levels[row])
}

// take returns the text of a row, nil if it is null, and the position of the next text:
// a byte of values, or an index.
func (t *textPage) take(row, at int) (text []byte, next int) {
	switch {
	case t.level(row) < t.most:
		return nil, at
	case t.dict != nil:
		return t.dict.text(t.indexes[at]), at + 1
	}
	next = at + 4 + int(binary.LittleEndian.Uint32(t.values[at:])) // it was looked through
	return t.values[at+4 : next : next], next
}
