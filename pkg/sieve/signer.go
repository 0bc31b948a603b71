package sieve

import (
	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	"doppel/pkg/text"
)

// longText is from where on a text is sketched in parts, in bytes, so that its shingles
// need not be held.
const longText = 1 << 18

// A signer makes the keys of texts, one a band: those that recsign and lshkeys make, hashed
// to 64 bits. Each goroutine needs its own.
type signer struct {
	shingler *text.Shingler
	sketcher *minhash.Sketcher
	sketch   minhash.Sketch
	bands    lsh.Bands
	mask     uint32 // the bits of a slot that a signature has
	keys     []lsh.Key
	shingles []uint64 // of the text that was signed last; nil: it is long
}

func newSigner(o Options) *signer {
	return &signer{
		shingler: text.NewKeyedShingler(o.Scheme.Text, o.Key),
		sketcher: minhash.New(o.Scheme.Slots, o.Scheme.Seed),
		sketch:   minhash.Sketch{Slots: make([]uint32, o.Scheme.Slots)},
		bands:    o.Bands,
		mask:     uint32(1<<o.Scheme.Bits - 1),
	}
}

// sign appends the keys of a text, none if it has no shingles.
func (s *signer) sign(dst []uint64, body []byte) []uint64 {
	ok := false
	if len(body) > longText {
		s.shingles = nil
		ok = s.sketcher.SketchEach(&s.sketch, s.shingler.Each(body))
	} else {
		s.shingles = s.shingler.Append(s.shingles[:0], body)
		ok = s.sketcher.Sketch(&s.sketch, s.shingles)
	}
	if !ok {
		return dst
	}
	for i := range s.sketch.Slots {
		s.sketch.Slots[i] &= s.mask
	}
	s.keys = s.bands.Append(s.keys[:0], s.sketch.Slots, s.sketch.Digest)
	for _, k := range s.keys {
		dst = append(dst, lsh.Hash(k.Bucket))
	}
	return dst
}
