package pages

import (
	"slices"
	"sync"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Most of a dataset is pages of plain texts: each a length and its bytes. Such a page
// is used where it was decompressed, and not decoded by the library, which copies all
// of it twice: its values are parts of it, and rows are taken out of it by copying
// what lies between them (see splice.go). The library is the oracle of the tests.
//
// Measured, recuniq of 300,000 records in .91 GB of Parquet that is not compressed:
// see RESULTS.md of scripts/bench.

// plainTexts reports whether the values of a page are plain texts, one a row at most.
func (c *chunk) plainTexts(p *page) bool {
	l := c.leaf
	return p.data() && p.encoding == format.Plain && l.kind == pq.ByteArray && l.rep == 0 && !c.group.file.pads()
}

// A textPage is the values of a page of plain texts.
type textPage struct {
	memory *[]byte // of bodies
	values []byte  // each with its length before it
	levels []byte  // of definition, a row each; nil: no row is null
	rows   int
}

// bodies is memory for decompressed pages.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// open decompresses a page of plain texts and looks it through.
func (c *chunk) open(p *page) (*textPage, error) {
	f := &feed{chunk: c}
	if err := f.load(p); err != nil {
		return nil, err
	}
	t := &textPage{memory: bodies.Get().(*[]byte), rows: int(p.values)}
	*t.memory = slices.Grow((*t.memory)[:0], int(p.plain))[:p.plain]
	if err := f.fill(*t.memory, p); err != nil {
		return nil, err
	}
	_, def, values, err := p.cut(*t.memory, c.leaf)
	if err != nil {
		return nil, err
	}
	t.values = values
	if c.leaf.def > 0 {
		t.levels, err = expand(def, levelBits(c.leaf.def), t.rows, byte(c.leaf.def))
	}
	return t, err
}

// close gives the memory back: no value is valid any more.
func (t *textPage) close() { bodies.Put(t.memory) }

// expand returns the levels of a hybrid that is whole, or nil if all are the largest.
func expand(b []byte, width, n int, largest byte) ([]byte, error) {
	if count, _ := (&hybrid{b, width, n}).count(uint32(largest)); count == n {
		return nil, nil
	}
	return unpacked(b, width, n)
}

// level returns the definition level of a row, and whether it is null.
func (t *textPage) level(row, most int) (level int, null bool) {
	if t.levels == nil {
		return most, false
	}
	level = int(t.levels[row])
	return level, level < most
}

// next takes the text that the values begin with.
func (t *textPage) next() (text []byte) {
	text, t.values, _ = cutSized(t.values) // it was looked through
	return text
}

// each calls fn with the values of a page of plain texts, from a row on, up to n, and
// counts them. They are valid until fn returns.
func (c *chunk) each(p *page, from, n int64, fn func([]pq.Value) error) (done int64, err error) {
	t, err := c.open(p)
	if err != nil {
		return 0, err
	}
	defer t.close()
	values := make([]pq.Value, 0, 256)
	end := min(from+n, int64(t.rows))
	for row := range end {
		level, null := t.level(int(row), c.leaf.def)
		v := pq.NullValue()
		if !null {
			v = pq.ByteArrayValue(t.next())
		}
		if row < from {
			continue
		}
		values = append(values, v.Level(0, level, c.index))
		if len(values) == cap(values) || row == end-1 {
			if err := fn(values); err != nil {
				return done, err
			}
			done += int64(len(values))
			values = values[:0]
		}
	}
	return done, nil
}
