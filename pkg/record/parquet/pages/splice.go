package pages

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// A splicer copies some rows of a page of plain texts to a new page. It reuses its memory for the
// next page.
type splicer struct {
	levels []byte // definition levels of the kept rows; unused if no row is null
	body   []byte
	packed []byte
}

// splice returns a copy of the page p with only the rows for which keep returns true; keep is
// called with the number of each row in the page. The copy is compressed with the given codec.
func (s *splicer) splice(c *chunk, p *page, by compress.Codec, keep func(row int64) bool) ([]byte, []page, error) {
	t, err := c.open(p)
	if err != nil {
		return nil, nil, err
	}
	defer bodies.Put(t.memory)
	made := page{kind: p.kind, encoding: format.Plain, levels: [2]format.Encoding{format.RLE, format.RLE}}
	var kept [][]byte // the parts of t.values that are kept
	start, at := 0, 0
	s.levels = s.levels[:0]
	for row := range t.rows {
		text, end := t.textAt(row, at)
		if !keep(int64(row)) {
			kept, start = append(kept, t.values[start:at]), end
		} else {
			made.values++
			s.levels = append(s.levels, byte(t.level(row)))
			if text == nil {
				made.nulls++
			}
		}
		at = end
	}
	kept, made.rows = append(kept, t.values[start:at]), made.values

	s.body = s.body[:0]
	if t.most > 0 {
		// If no row is null, all levels are equal and form one run.
		levels := append(binary.AppendUvarint(nil, uint64(len(s.levels))<<1), byte(t.most))
		if t.levels != nil {
			if levels, err = (&rle.Encoding{BitWidth: bits.Len(uint(t.most))}).EncodeLevels(nil, s.levels); err != nil {
				return nil, nil, err
			}
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
	b, err := s.seal(&made, by)
	return b, []page{made}, err
}

// seal returns the new page: its header, followed by the compressed s.body. The levels of a version
// 2 page are not compressed.
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
	return slices.Concat(head, body), nil
}
