package pages

import (
	"encoding/binary"
	"fmt"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// auditValues looks at n values of a page.
func auditValues(b []byte, p *page, l *leaf, n int) error {
	switch {
	case p.index():
		return auditIndexes(b, n)
	case p.encoding == format.Plain:
		return auditPlain(b, l, n)
	case p.encoding == format.ByteStreamSplit:
		return want(l.width > 0 && len(b) == n*l.width)
	case p.encoding == format.RLE && l.kind == pq.Boolean:
		return nil // plainBooleans does
	}
	return auditDelta(b, p.encoding, l, n)
}

func want(ok bool) error {
	if !ok {
		return ErrDamaged
	}
	return nil
}

// auditIndexes looks at indexes of a dictionary: a width, and a hybrid. Some
// writers leave out what is of no width.
func auditIndexes(b []byte, n int) error {
	if len(b) == 0 {
		return want(n == 0)
	}
	h := hybrid{b[1:], int(b[0]), n}
	return want(h.width <= 32 && (h.whole() || h.width == 0 && len(h.b) == 0))
}

// auditPlain looks at n plain values.
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

// auditDelta looks at values of the encodings by differences.
func auditDelta(b []byte, as format.Encoding, l *leaf, n int) error {
	whole := l.kind == pq.Int32 || l.kind == pq.Int64
	texts := l.kind == pq.ByteArray || l.kind == pq.FixedLenByteArray
	switch {
	case as == format.DeltaBinaryPacked && whole, as == format.DeltaLengthByteArray && l.kind == pq.ByteArray:
		return want(deltaCount(b) == uint64(n))
	case as != format.DeltaByteArray || !texts:
		return fmt.Errorf("values in the encoding %s cannot be read", as)
	}
	if deltaCount(b) != uint64(n) {
		return ErrDamaged
	}
	return auditPrefixes(b, n)
}

// deltaCount returns how many values a block of differences says that it has:
// the third number in it.
func deltaCount(b []byte) (count uint64) {
	for range 3 {
		v, k := binary.Uvarint(b)
		if k <= 0 {
			return 1 << 63
		}
		count, b = v, b[k:]
	}
	return count
}

// auditPrefixes adds up what each text has in common with the one before: that
// is what a page of few bytes may grow by.
func auditPrefixes(b []byte, n int) error {
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
		return fmt.Errorf("texts of %d bytes in %d: %w", sum, len(b), ErrDamaged)
	}
	return nil
}
