package minhash

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// A sketch is written as base64 without padding. The encoded bytes are the low b bits of each slot,
// little-endian, followed by the eight bytes of the digest. 128 slots of 16 bits take 352
// characters.
var encoding = base64.RawStdEncoding

const digestBytes = 8

// A Codec encodes and decodes sketches of K slots of B bits; B is 8, 16 or 32. It contains
// scratch memory, so each goroutine needs its own.
type Codec struct {
	K, B int
	raw  []byte
}

// RawSize returns the size of a sketch in bytes, before base64 encoding.
func (c *Codec) RawSize() int { return c.K*c.B/8 + digestBytes }

// Cut truncates each slot to c.B bits, as Append does.
func (c *Codec) Cut(slots []uint32) {
	mask := uint32(1<<c.B - 1)
	for i := range slots {
		slots[i] &= mask
	}
}

// Append appends the encoded form of a sketch to dst.
func (c *Codec) Append(dst []byte, s *Sketch) []byte {
	c.raw = c.AppendRaw(c.raw[:0], s)
	return encoding.AppendEncode(dst, c.raw)
}

// AppendRaw appends the bytes that Append encodes to dst.
func (c *Codec) AppendRaw(dst []byte, s *Sketch) []byte {
	switch c.B { // a single loop for all widths would take a quarter more instructions
	case 8:
		for _, v := range s.Slots {
			dst = append(dst, byte(v))
		}
	case 16:
		for _, v := range s.Slots {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(v))
		}
	default:
		for _, v := range s.Slots {
			dst = binary.LittleEndian.AppendUint32(dst, v)
		}
	}
	return binary.LittleEndian.AppendUint64(dst, s.Digest)
}

// Decode decodes the output of Append into dst, which must have K slots.
func (c *Codec) Decode(dst *Sketch, text []byte) (err error) {
	if c.raw, err = c.Raw(c.raw, text); err != nil {
		return err
	}
	width, mask := c.B/8, uint32(1<<c.B-1)
	slots, raw := dst.Slots, c.raw
	for i := range slots { // the digest follows the slots, so four bytes can be read at every slot
		slots[i] = binary.LittleEndian.Uint32(raw) & mask
		raw = raw[width:]
	}
	dst.Digest = binary.LittleEndian.Uint64(raw)
	return nil
}

// Raw undoes only the base64 encoding of a sketch. It stores the bytes in its first argument, if
// that slice is large enough, and returns them.
func (c *Codec) Raw(raw, text []byte) ([]byte, error) {
	if want := encoding.EncodedLen(c.RawSize()); len(text) != want {
		return raw, fmt.Errorf("invalid sketch: want %d characters for %d slots of %d bits, found %d", want, c.K, c.B, len(text))
	}
	if cap(raw) < c.RawSize() {
		raw = make([]byte, c.RawSize())
	}
	raw = raw[:c.RawSize()]
	if _, err := encoding.Decode(raw, text); err != nil {
		return raw, fmt.Errorf("invalid sketch: not base64: %w", err)
	}
	return raw, nil
}

// Compare estimates the similarity of two sets from their sketches as returned by Raw or AppendRaw. The
// estimate is 1 if the digests are equal, and less than 1 otherwise.
func (c *Codec) Compare(a, b []byte) float64 {
	width, equal := c.B/8, 0
	slots := c.K * width
	if string(a[slots:]) == string(b[slots:]) {
		return 1
	}
	for i := 0; i < slots; i += width {
		if string(a[i:i+width]) == string(b[i:i+width]) {
			equal++
		}
	}
	return min(similarity(equal, c.K, c.B), 1-1/float64(c.K+1))
}
