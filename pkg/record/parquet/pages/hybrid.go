package pages

import (
	"encoding/binary"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/rle"
)

// Levels, indexes into a dictionary and booleans use Parquet's hybrid encoding, a sequence of runs.
// A run begins with a varint. If its lowest bit is 0, one value follows, and the other bits are the
// number of times that it is repeated. If the lowest bit is 1, packed values follow, and the other
// bits are the number of groups of eight values.

// A hybrid iterates over the runs that encode n values. width is the size of a value in bits.
type hybrid struct {
	b     []byte
	width int
	n     int // values left
}

// A run is a part of a hybrid. It has either one value that is repeated, or packed values.
type run struct {
	n      int
	value  uint32
	packed []byte // the packed values; nil if the run is one value, repeated n times
}

// slack is the maximum number of surplus values in the last run. Surplus values occur because
// values are packed in complete groups of eight. Some writers pack up to 63 groups (504 values) at
// once, and others count each bit of the last byte as a value.
const slack = 504

// next returns the next run. ok is false after n values, or if the run is incomplete or has too
// many values.
func (h *hybrid) next() (s run, ok bool) {
	head, k := binary.Uvarint(h.b)
	if k <= 0 || h.n <= 0 {
		return s, false
	}
	h.b = h.b[k:]
	if count := head >> 1; head&1 == 0 {
		var value [4]byte
		k := (h.width + 7) / 8
		if ok = count <= uint64(h.n+slack) && k <= len(h.b); ok {
			copy(value[:], h.b[:k])
			s.n, s.value, h.b = int(count), binary.LittleEndian.Uint32(value[:]), h.b[k:]
		}
	} else if ok = count <= uint64(h.n+slack)/8 && count*uint64(h.width) <= uint64(len(h.b)); ok {
		s.n, s.packed = int(count)*8, h.b[:int(count)*h.width:int(count)*h.width]
		h.b = h.b[len(s.packed):]
	}
	s.n = min(s.n, h.n)
	h.n -= s.n
	return s, ok
}

// unpacked decodes a complete hybrid whose values have at most eight bits each.
func unpacked(b []byte, width, n int) (values []byte, err error) {
	err = Guard(func() error {
		values, err = (&rle.Encoding{BitWidth: width}).DecodeLevels(nil, b)
		return err
	})
	if err != nil || len(values) < n {
		return nil, ErrDamaged
	}
	return values[:n], nil
}

// isComplete reports whether all n values are present, followed by few enough surplus values.
func (h *hybrid) isComplete() bool {
	for h.n > 0 {
		if _, ok := h.next(); !ok {
			return false
		}
	}
	return h.fewLeft()
}

// fewLeft reports whether few enough values remain (see slack). parquet-go decodes all of them.
func (h *hybrid) fewLeft() bool {
	for h.n = slack; len(h.b) > 0; {
		if _, ok := h.next(); !ok {
			return false
		}
	}
	return true
}

// count returns how many values are equal to the given maximum. ok is false if there are not n
// values, or if a value exceeds the maximum.
func (h *hybrid) count(largest uint32) (count int, ok bool) {
	for h.n > 0 {
		s, ok := h.next()
		switch {
		case !ok || s.packed == nil && s.value > largest:
			return count, false
		case s.packed == nil && s.value == largest:
			count += s.n
		case s.packed == nil:
		case h.width == 1 && largest == 1:
			count += onesIn(s.packed, s.n)
		default:
			for i := range s.n {
				bit := i * h.width // values have at most eight bits
				v := uint32(s.packed[bit/8])
				if bit%8+h.width > 8 {
					v |= uint32(s.packed[bit/8+1]) << 8
				}
				v = v >> (bit % 8) & (1<<h.width - 1)
				if v > largest {
					return count, false
				}
				if v == largest {
					count++
				}
			}
		}
	}
	return count, h.fewLeft()
}

// onesIn returns the number of bits that are 1 among the first n bits of b.
func onesIn(b []byte, n int) (count int) {
	for ; n >= 64; n, b = n-64, b[8:] {
		count += bits.OnesCount64(binary.LittleEndian.Uint64(b))
	}
	for ; n >= 8; n, b = n-8, b[1:] {
		count += bits.OnesCount8(b[0])
	}
	if n > 0 {
		count += bits.OnesCount8(b[0] << (8 - n))
	}
	return count
}
