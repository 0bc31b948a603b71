package minhash

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// A sketch is written as base64 without padding of its slots, little-endian,
// each cut to its low b bits: 683 characters for 128 slots of 32 bits.
var encoding = base64.RawStdEncoding

// AppendSketch appends the text of a sketch of b-bit slots, b being 8, 16 or 32.
func AppendSketch(dst []byte, slots []uint32, b int) []byte {
	n := encoding.EncodedLen(len(slots) * b / 8)
	dst = append(dst, make([]byte, n)...)
	text := dst[len(dst)-n:]
	var raw [3 * 256]byte // a multiple of three bytes, so that the pieces join
	for step := len(raw) * 8 / b; len(slots) > 0; {
		m := min(step, len(slots))
		size := pack(raw[:], slots[:m], b)
		encoding.Encode(text, raw[:size])
		text = text[encoding.EncodedLen(size):]
		slots = slots[m:]
	}
	return dst
}

// pack writes slots of b bits to raw and returns how many bytes they took.
func pack(raw []byte, slots []uint32, b int) int {
	switch b {
	case 8:
		for i, v := range slots {
			raw[i] = byte(v)
		}
	case 16:
		for i, v := range slots {
			binary.LittleEndian.PutUint16(raw[2*i:], uint16(v))
		}
	default:
		for i, v := range slots {
			binary.LittleEndian.PutUint32(raw[4*i:], v)
		}
	}
	return len(slots) * b / 8
}

// DecodeRaw decodes the text of a sketch of k slots of b bits to the bytes of
// its slots, in raw if it is large enough.
func DecodeRaw(raw, text []byte, k, b int) ([]byte, error) {
	size := k * b / 8
	if want := encoding.EncodedLen(size); len(text) != want {
		return raw, fmt.Errorf("a sketch of %d slots of %d bits has %d characters, not %d", k, b, want, len(text))
	}
	if cap(raw) < size {
		raw = make([]byte, size)
	}
	raw = raw[:size]
	if _, err := encoding.Decode(raw, text); err != nil {
		return raw, fmt.Errorf("a sketch is no base64: %w", err)
	}
	return raw, nil
}

// DecodeSketch decodes the text of a sketch into dst, whose length is the
// number of slots. Raw is scratch memory that is returned for the next call.
func DecodeSketch(dst []uint32, raw, text []byte, b int) ([]byte, error) {
	raw, err := DecodeRaw(raw, text, len(dst), b)
	if err != nil {
		return raw, err
	}
	for i := range dst {
		switch b {
		case 8:
			dst[i] = uint32(raw[i])
		case 16:
			dst[i] = uint32(binary.LittleEndian.Uint16(raw[2*i:]))
		default:
			dst[i] = binary.LittleEndian.Uint32(raw[4*i:])
		}
	}
	return raw, nil
}
