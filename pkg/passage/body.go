package passage

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"iter"
)

// empty is the body of a text without any run.
const empty = "-"

var encoding = base64.RawURLEncoding

// A run is encoded in eight bytes, high byte first: the key, a bit for Twice, and the count
// minus one. A start is the sum of the earlier counts.
const (
	runBytes  = 8
	twiceBit  = 1 << 8
	countMask = 1<<8 - 1
)

// Word returns the run as encoded in a body, without Start.
func (r Run) Word() uint64 {
	w := r.Key()<<(64-KeyBits) | uint64(r.Count-1)
	if r.Twice {
		w |= twiceBit
	}
	return w
}

// AppendBody appends the body of a signature with these runs, which must be all runs of a text,
// as [Signer.Each] yields them. A body has 10.7 characters per run.
func AppendBody(dst []byte, parts iter.Seq[[]Run]) []byte {
	var three [3 * runBytes]byte // its base64 needs no padding
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

// AppendParsed appends the runs of a body to dst. Only the bits of their hashes that are in the
// key are set.
func AppendParsed(dst []Run, body []byte) ([]Run, error) {
	if string(body) == empty {
		return dst, nil
	}
	raw, err := encoding.Strict().AppendDecode(nil, body)
	// The decoder ignores line ends.
	if err != nil || len(raw) == 0 || len(raw)%runBytes != 0 || bytes.ContainsAny(body, "\r\n") {
		return dst, fmt.Errorf("invalid runs of a text, %d characters", len(body))
	}
	for start := 0; len(raw) > 0; raw = raw[runBytes:] {
		w := binary.BigEndian.Uint64(raw)
		n := int(w&countMask) + 1
		dst = append(dst, Run{w &^ (twiceBit | countMask), start, n, w&twiceBit != 0})
		start += n
	}
	return dst, nil
}
