package pages

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// Each page is checked before parquet-go decodes it: the page must have exactly as many levels and
// values as its header says. The check walks over the runs of levels and the lengths of texts, and
// takes about 3 % of the reading time.

// audit checks the decompressed body b of a page. It returns an error if the levels or values do
// not match the header. parquet-go must not decode such a page.
func (c *chunk) audit(b []byte, p *page) error {
	l := c.leaf
	if !p.data() {
		//lint:ignore SA1019 older writers use PlainDictionary
		if p.encoding != format.Plain && p.encoding != format.PlainDictionary {
			return fmt.Errorf("unsupported encoding %s of a dictionary", p.encoding)
		}
		return auditPlain(b, l, int(p.values))
	}
	b, n, err := p.presentValues(b, l)
	if err != nil {
		return err
	}
	if err := auditValues(b, p, l, n); err != nil {
		return fmt.Errorf("values: %w", err)
	}
	return nil
}

// presentValues returns the encoded values of a page, without the levels, and the number of values
// that are not null. b is the body of the page. presentValues returns an error if the levels do not
// match the header.
func (p *page) presentValues(b []byte, l *leaf) (values []byte, n int, err error) {
	rep, def, values, err := p.splitLevels(b, l)
	if err != nil {
		return nil, 0, err
	}
	n, ok := int(p.values), true
	if l.rep > 0 {
		_, ok = (&hybrid{rep, bits.Len(uint(l.rep)), n}).count(uint32(l.rep))
	}
	if ok && l.def > 0 {
		n, ok = (&hybrid{def, bits.Len(uint(l.def)), n}).count(uint32(l.def))
	}
	// In nested columns, pyarrow counts fewer nulls than the levels have.
	if !ok || p.kind == format.DataPageV2 && l.rep == 0 && l.def < 2 && int(p.values-p.nulls) != n {
		return nil, 0, fmt.Errorf("levels: %w", ErrDamaged)
	}
	return values, n, nil
}

// splitLevels splits the body of a page into its levels and its values.
func (p *page) splitLevels(b []byte, l *leaf) (rep, def, values []byte, err error) {
	if p.kind == format.DataPageV2 {
		rep, b = b[:p.sizes[0]], b[p.sizes[0]:]
		return rep, b[:p.sizes[1]], b[p.sizes[1]:], nil
	}
	for i, level := range []struct {
		most int
		b    *[]byte
	}{{l.rep, &rep}, {l.def, &def}} {
		if level.most == 0 {
			continue
		}
		if p.levels[i] != format.RLE {
			return nil, nil, nil, fmt.Errorf("unsupported encoding %s of levels", p.levels[i])
		}
		var ok bool
		if *level.b, b, ok = cutSized(b); !ok {
			return nil, nil, nil, ErrDamaged
		}
	}
	return rep, def, b, nil
}

// cutSized splits b into a block and the bytes after the block. The first four bytes of b are the
// size of the block.
func cutSized(b []byte) (head, rest []byte, ok bool) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, false
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	return b[4:n:n], b[n:], true
}

// auditValues checks that b, the values of a page, consists of n values.
func auditValues(b []byte, p *page, l *leaf, n int) error {
	switch {
	case p.isIndexed():
		if len(b) == 0 {
			return want(n == 0) // some writers leave out values of width zero
		}
		h := hybrid{b[1:], int(b[0]), n}
		return want(h.width <= 32 && (h.isComplete() || h.width == 0 && len(h.b) == 0))
	case p.encoding == format.Plain:
		return auditPlain(b, l, n)
	case p.encoding == format.ByteStreamSplit:
		return want(l.width > 0 && len(b) == n*l.width)
	case p.encoding == format.RLE && l.kind == pq.Boolean:
		return nil // not audited here, because plainBooleans checks booleans
	}
	return auditDelta(b, p.encoding, l, n)
}

func want(ok bool) error {
	if !ok {
		return ErrDamaged
	}
	return nil
}

// auditPlain checks that b contains n values in the plain encoding. It allows surplus bytes only
// after values of fixed size.
func auditPlain(b []byte, l *leaf, n int) error {
	switch {
	case l.kind == pq.Boolean:
		return want(len(b) >= (n+7)/8)
	case l.width > 0:
		return want(len(b) >= n*l.width)
	}
	for ok := true; n > 0; n-- {
		if _, b, ok = cutSized(b); !ok {
			return ErrDamaged
		}
	}
	return want(len(b) == 0)
}

// auditDelta checks values in a delta encoding: the header of b must state n values, and decoded
// texts must not be much larger than b.
func auditDelta(b []byte, as format.Encoding, l *leaf, n int) error {
	integers := l.kind == pq.Int32 || l.kind == pq.Int64
	texts := l.kind == pq.ByteArray || l.kind == pq.FixedLenByteArray
	switch {
	case as == format.DeltaBinaryPacked && integers, as == format.DeltaLengthByteArray && l.kind == pq.ByteArray, as == format.DeltaByteArray && texts:
	default:
		return fmt.Errorf("unsupported encoding %s of values", as)
	}
	count, rest := uint64(0), b
	for range 3 { // the third number of the header is the number of values
		v, k := binary.Uvarint(rest)
		if k <= 0 {
			return ErrDamaged
		}
		count, rest = v, rest[k:]
	}
	if count != uint64(n) || as != format.DeltaByteArray {
		return want(count == uint64(n))
	}
	// A text can share a long prefix with the previous text, so a small page can decode to very
	// large texts.
	var lengths []int32
	err := Guard(func() (err error) {
		lengths, err = new(delta.BinaryPackedEncoding).DecodeInt32(make([]int32, 0, n), b)
		return err
	})
	if err != nil {
		return err
	}
	sum := int64(0)
	for _, length := range lengths {
		sum += int64(length)
	}
	if most := int64(surelyBytes + surelyTimes*len(b)); sum > most {
		return fmt.Errorf("strings of %d bytes in a page of %d: %w", sum, len(b), ErrDamaged)
	}
	return nil
}
