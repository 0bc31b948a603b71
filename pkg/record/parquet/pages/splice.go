package pages

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// A splicer makes of a page of plain texts one that has some of its rows. It keeps its
// memory for the next page.
type splicer struct {
	levels []byte // of definition, of the rows that are kept; unused where none is null
	body   []byte
	packed []byte
}

// splice returns a page with the rows for whose number keep returns true, which are
// not all null, compressed by a codec.
func (s *splicer) splice(c *chunk, p *page, by compress.Codec, keep func(row int64) bool) ([]byte, []page, error) {
	t, err := c.open(p)
	if err != nil {
		return nil, nil, err
	}
	defer t.close()
	made := page{kind: p.kind, encoding: format.Plain, levels: [2]format.Encoding{format.RLE, format.RLE}}
	texts := s.take(t, keep, &made)
	if err := s.assemble(c.leaf.def, &made, texts, t.levels == nil); err != nil {
		return nil, nil, err
	}
	b, err := s.seal(&made, by)
	return b, []page{made}, err
}

// take keeps the levels of rows, counts them, and returns the stretches of the values
// that are kept.
func (s *splicer) take(t *textPage, keep func(int64) bool, made *page) (kept [][]byte) {
	all, start, at := t.values, 0, 0
	s.levels = s.levels[:0]
	for row := range t.rows {
		text, end := t.take(row, at)
		if !keep(int64(row)) {
			kept, start = append(kept, all[start:at]), end
		} else {
			made.values++
			s.levels = append(s.levels, byte(t.level(row)))
			if text == nil {
				made.nulls++
			}
		}
		at = end
	}
	made.rows = made.values
	return append(kept, all[start:at])
}

// assemble puts the levels and the stretches of values behind each other.
func (s *splicer) assemble(most int, made *page, kept [][]byte, full bool) (err error) {
	s.body = s.body[:0]
	if most > 0 {
		var levels []byte
		if levels, err = s.encoded(most, full); err != nil {
			return err
		}
		if made.kind == format.DataPage {
			s.body = binary.LittleEndian.AppendUint32(s.body, uint32(len(levels)))
		} else {
			made.sizes[1] = int64(len(levels))
		}
		s.body = append(s.body, levels...)
	}
	for _, stretch := range kept {
		s.body = append(s.body, stretch...)
	}
	made.plain = int64(len(s.body))
	return nil
}

// encoded returns the levels as a hybrid: one run where none is null.
func (s *splicer) encoded(most int, full bool) ([]byte, error) {
	if full {
		return append(binary.AppendUvarint(nil, uint64(len(s.levels))<<1), byte(most)), nil
	}
	return (&rle.Encoding{BitWidth: levelBits(most)}).EncodeLevels(nil, s.levels)
}

// seal compresses the body, but for the levels of version 2, and puts the header
// before it.
func (s *splicer) seal(made *page, by compress.Codec) (b []byte, err error) {
	body := s.body
	if by.CompressionCodec() != format.Uncompressed {
		if s.packed, err = by.Encode(s.packed[:0], s.body[made.sizes[1]:]); err != nil {
			return nil, err
		}
		body = append(s.body[:made.sizes[1]], s.packed...)
	}
	made.body, made.crc = int64(len(body)), crc32.ChecksumIEEE(body)
	head, err := made.header()
	if err != nil {
		return nil, err
	}
	made.head = int64(len(head))
	return append(append(make([]byte, 0, len(head)+len(body)), head...), body...), nil
}
