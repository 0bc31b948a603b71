package sample

import (
	"encoding/binary"
	"iter"

	"github.com/cespare/xxhash/v2"
)

// partUnits is how many bytes of a long text become code points at a time.
const partUnits = 1 << 16

// AppendEach is [Sampler.AppendValues] of values that come in parts, of which a window
// and one part are held.
func (s *Sampler) AppendEach(dst []uint64, parts iter.Seq[[]uint64]) []uint64 {
	return appendEach(s, dst, parts)
}

// AppendText is [Sampler.Append] of a text that comes in parts, of whole code points if
// these are the units.
func (s *Sampler) AppendText(dst []uint64, parts iter.Seq[[]byte]) []uint64 {
	if s.roller.Unit == Bytes {
		return appendEach(s, dst, parts)
	}
	return appendEach(s, dst, func(yield func([]uint64) bool) {
		for part := range parts {
			for values := range codePointParts(s, part) {
				if !yield(values) {
					return
				}
			}
		}
	})
}

func appendEach[T unit](s *Sampler, dst []uint64, parts iter.Seq[[]T]) []uint64 {
	set, begun := builder{dst: dst, first: len(dst), limit: compactAt}, false
	var units []T // the last window, and a part
	for part := range parts {
		if units = append(units, part...); len(units) < s.roller.Window {
			continue
		}
		if !begun {
			begin(s, &set, units)
			begun = true
		}
		units = append(units[:0], further(s, &set, units)...)
	}
	if !begun {
		return dst
	}
	return s.finish(&set)
}

// codePointParts yields the code points of a text, some thousand at a time.
func codePointParts(s *Sampler, text []byte) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for rest, more := text, true; more && len(rest) > 0; {
			n := 0
			s.values, n = codePoints(s.values[:0], rest, partUnits)
			more = yield(s.values)
			rest = rest[n:]
		}
	}
}

// DigestEach is [Digest] of a text that comes in parts.
func DigestEach(parts iter.Seq[[]byte]) uint64 {
	d := xxhash.New()
	for part := range parts {
		d.Write(part)
	}
	return d.Sum64()
}

// DigestValuesEach is [DigestValues] of values that come in parts.
func DigestValuesEach(parts iter.Seq[[]uint64]) uint64 {
	d, word := xxhash.New(), [8]byte{}
	for part := range parts {
		for _, v := range part {
			binary.LittleEndian.PutUint64(word[:], v)
			d.Write(word[:])
		}
	}
	return d.Sum64()
}
