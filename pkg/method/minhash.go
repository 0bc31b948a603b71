package method

import (
	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	"doppel/pkg/text"
)

// A minhashScheme signs a text with a sketch of its set of shingles.
type minhashScheme struct {
	minhash.Scheme
	key    []byte // secret key of the shingle hashes; nil if they have no key or the key is unknown
	fields string
}

func newMinhash(s Settings, src Source) (Scheme, error) {
	how, err := s.text(text.Default)
	if err != nil {
		return nil, err
	}
	scheme := minhash.Scheme{Text: how, Slots: s.Slots, Bits: s.SlotBits, Seed: s.Seed}
	if src.Key != nil {
		h, err := digest.Keyed(src.Key)
		if err != nil {
			return nil, err
		}
		scheme.Key = h.Check()
	}
	return minhashScheme{scheme, src.Key, src.Fields}, scheme.Check()
}

func parseMinhash(rest, fields string) (Scheme, error) {
	s, err := minhash.ParseScheme(rest)
	return minhashScheme{Scheme: s, fields: fields}, err
}

func (s minhashScheme) String() string { return s.Scheme.String() + s.fields }

func (s minhashScheme) codec() minhash.Codec { return minhash.Codec{K: s.Slots, B: s.Bits} }

func (s minhashScheme) sketch() minhash.Sketch { return minhash.Sketch{Slots: make([]uint32, s.Slots)} }

// Signer returns a signer that makes sketches.
func (s minhashScheme) Signer() (Signer, error) {
	if s.Key != "" && s.key == nil {
		return nil, needsKey(s)
	}
	return &minhashSigner{text.NewSetShingler(s.Text, s.key), minhash.New(s.Slots, s.Seed), s.codec(), s.sketch(), nil}, nil
}

type minhashSigner struct {
	shingler *text.Shingler
	sketcher *minhash.Sketcher
	codec    minhash.Codec
	sketch   minhash.Sketch
	shingles []uint64
}

func (s *minhashSigner) Append(dst, body []byte, _ []int) []byte {
	if !s.sketched(body) {
		return append(dst, schemes.Empty...)
	}
	return s.codec.Append(dst, &s.sketch)
}

// Sketch returns the slots and the digest that the signature of a text encodes. For an empty text,
// slots is nil. The slots are valid until the next call.
func (s *minhashSigner) Sketch(body []byte) (slots []uint32, digest uint64) {
	if !s.sketched(body) {
		return nil, 0
	}
	s.codec.Cut(s.sketch.Slots)
	return s.sketch.Slots, s.sketch.Digest
}

// sketched stores the sketch of a text in s.sketch. It returns false for an empty text.
func (s *minhashSigner) sketched(body []byte) bool {
	s.shingles = s.shingler.Append(text.Reuse(s.shingles), body)
	return s.sketcher.Sketch(&s.sketch, s.shingles)
}

// Keyer returns a keyer that makes one key from each band.
func (s minhashScheme) Keyer(o lsh.Options) (Keyer, error) {
	b, err := o.Settle(s.Slots)
	return &bandKeyer{lsh.Parts(b.B), b, s.codec(), s.sketch()}, err
}

type bandKeyer struct {
	lsh.Parts
	bands  lsh.Bands
	codec  minhash.Codec
	sketch minhash.Sketch
}

func (k *bandKeyer) Append(dst []lsh.Key, s line.Signature) ([]lsh.Key, error) {
	if s.Sketch != nil {
		return k.bands.Append(dst, s.Sketch, s.Digest), nil
	}
	if string(s.Body) == schemes.Empty {
		return dst, nil
	}
	if err := k.codec.Decode(&k.sketch, s.Body); err != nil {
		return dst, err
	}
	return k.bands.Append(dst, k.sketch.Slots, k.sketch.Digest), nil
}

// Comparer returns a comparer that estimates the similarity from the number of equal slots.
func (s minhashScheme) Comparer(m Measure) (Comparer, error) {
	if m != Similarity {
		return nil, noEstimate(s, m)
	}
	return slotComparer{s}, nil
}

type slotComparer struct{ scheme minhashScheme }

// Decode returns the sketch as raw bytes, or nil for an empty text.
func (c slotComparer) Decode(body []byte) (Comparand, error) {
	if string(body) == schemes.Empty {
		return []byte(nil), nil
	}
	codec := c.scheme.codec()
	return codec.Raw(nil, body)
}

func (c slotComparer) Compare(a, b Comparand) Estimate {
	x, y := a.([]byte), b.([]byte)
	if x == nil || y == nil {
		return Estimate{}
	}
	codec := c.scheme.codec()
	score := codec.Compare(x, y)
	return scored(score, score == 1)
}
