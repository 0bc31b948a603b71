package passage

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"iter"
)

// empty is the body of a text without runs.
const empty = "-"

var encoding = base64.RawURLEncoding

// A body encodes a run in eight bytes, big-endian: the key, a bit for Twice, and the count minus
// one. The start of a run is the sum of the counts of the runs before it.
const (
	runBytes  = 8
	twiceBit  = 1 << 8
	countMask = 1<<8 - 1
)

// Word returns the 64 bits that encode the run in a body. They do not include Start.
func (r Run) Word() uint64 {
	w := r.Key()<<(64-KeyBits) | uint64(r.Count-1)
	if r.Twice {
		w |= twiceBit
	}
	return w
}

// AppendBody appends the body of a text's signature to dst. The parts must hold all runs of the
// text, as [Signer.Each] yields them. A body has about 10.7 characters per run.
func AppendBody(dst []byte, parts iter.Seq[[]Run]) []byte {
	var three [3 * runBytes]byte // the base64 of 24 bytes needs no padding
	raw, begin := three[:0], len(dst)
	for runs := range parts {
		for _, r := range runs {
			if raw = binary.BigEndian.AppendUint64(raw, r.Word()); len(raw) == len(three) {
				dst, raw = encoding.AppendEncode(dst, raw), raw[:0]
			}
		}
	}
	if dst = encoding.AppendEncode(dst, raw); len(dst) == begin {
		return append(dst, empty...)
	}
	return dst
}

// AppendParsed parses a body and appends its runs to dst. A body stores only the key of each
// run, so the other bits of Hash are 0.
func AppendParsed(dst []Run, body []byte) ([]Run, error) {
	if string(body) == empty {
		return dst, nil
	}
	raw, err := encoding.Strict().AppendDecode(nil, body)
	// The decoder skips line breaks, but a body must not contain any.
	if err != nil || len(raw) == 0 || len(raw)%runBytes != 0 || bytes.ContainsAny(body, "\r\n") {
		return dst, fmt.Errorf("invalid signature body of %d characters: want base64 of 64-bit words", len(body))
	}
	for start := 0; len(raw) > 0; raw = raw[runBytes:] {
		w := binary.BigEndian.Uint64(raw)
		n := int(w&countMask) + 1
		dst = append(dst, Run{w &^ (twiceBit | countMask), start, n, w&twiceBit != 0})
		start += n
	}
	return dst, nil
}
