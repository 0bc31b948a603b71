package pages

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// Before the library decodes a page it is looked through: whether there are as
// many levels and values as its header says, and no more. It costs a walk over
// the runs of levels and the lengths of texts, some 3 % of reading.

// audit returns an error for a page that the library should not see.
func (s *feed) audit(b []byte, p *page) error {
	l := s.chunk.leaf
	if !p.data() {
		return auditDictionary(b, p, l)
	}
	b, n, err := p.there(b, l)
	if err != nil {
		return err
	}
	if err := auditValues(b, p, l, n); err != nil {
		return fmt.Errorf("its values: %w", err)
	}
	return nil
}

func auditDictionary(b []byte, p *page, l *leaf) error {
	//lint:ignore SA1019 older writers name it so
	if p.encoding != format.Plain && p.encoding != format.PlainDictionary {
		return fmt.Errorf("a dictionary in the encoding %s cannot be read", p.encoding)
	}
	return auditPlain(b, l, int(p.values))
}

// there returns the values of a page, without the levels, and how many are not
// null.
func (p *page) there(b []byte, l *leaf) (values []byte, n int, err error) {
	rep, def, values, err := p.cut(b, l)
	if err != nil {
		return nil, 0, err
	}
	n, ok := int(p.values), true
	if l.rep > 0 {
		_, ok = (&hybrid{rep, levelBits(l.rep), n}).count(uint32(l.rep))
	}
	if ok && l.def > 0 {
		n, ok = (&hybrid{def, levelBits(l.def), n}).count(uint32(l.def))
	}
	if !ok || p.kind == format.DataPageV2 && int(p.values-p.nulls) != n {
		return nil, 0, fmt.Errorf("its levels: %w", ErrDamaged)
	}
	return values, n, nil
}

// cut returns the levels of a page and its values.
func (p *page) cut(b []byte, l *leaf) (rep, def, values []byte, err error) {
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
			return nil, nil, nil, fmt.Errorf("levels in the encoding %s cannot be read", p.levels[i])
		}
		var ok bool
		if *level.b, b, ok = cutSized(b); !ok {
			return nil, nil, nil, ErrDamaged
		}
	}
	return rep, def, b, nil
}

// cutSized cuts off what stands behind its size in four bytes.
func cutSized(b []byte) (head, rest []byte, ok bool) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, false
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	return b[4:n:n], b[n:], true
}
