package method

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/sample"
	"doppel/pkg/text"
)

// A sampleScheme signs by those fingerprints of windows that meet a criterion.
type sampleScheme struct {
	sample.Params
	how    text.Normalization
	fields string
}

// newSample makes fingerprints of words as they are normalised, of bytes and
// characters as they are, unless it is told how.
func newSample(s Settings, of Source) (Scheme, error) {
	p, err := sampleParams(&s)
	if err != nil {
		return nil, err
	}
	own := text.None
	if p.Unit == sample.Words {
		own = text.Default.Normalize
	}
	how, err := s.normalization(own)
	return sampleScheme{p, how, of.Fields}, err
}

func sampleParams(s *Settings) (p sample.Params, err error) {
	if s.Winnow != 0 && s.Criterion != "" {
		return p, fmt.Errorf("--winnow and --criterion exclude each other")
	}
	p = sample.Params{Prime: s.Prime, Winnow: s.Winnow, Raw: s.Raw, Criterion: sample.Default.Criterion}
	if p.Unit, p.Window, err = sample.ParseWindow(s.Window); err != nil {
		return p, err
	}
	if p.Modulus, err = sample.ParseModulus(s.Modulus); err != nil {
		return p, err
	}
	if s.Criterion != "" {
		if err = p.SetCriteria(s.Criterion); err != nil {
			return p, err
		}
	}
	return p, p.Check()
}

func parseSample(rest, fields string) (Scheme, error) {
	p, how, err := sample.ParseParams(rest)
	s := sampleScheme{Params: p, fields: fields}
	if err == nil {
		err = s.how.Set(how)
	}
	return s, err
}

func (s sampleScheme) String() string { return s.Params.String() + "/" + s.how.String() + s.fields }

// Keyer returns what makes a key of each fingerprint.
func (s sampleScheme) Keyer(lsh.Options) (Keyer, error) {
	return &sampleKeyer{params: s.Params, scheme: s.String(), tag: xxhash.Sum64String(s.String()) &^ textBits}, nil
}

// A sampleKeyer makes a key of each fingerprint of a sampled set: the fingerprint
// is the bucket, in which the low bits may all be zero, and the high ones as well
// in one that is the least of many. The digest is 48 bits of that of the text
// behind 16 of the hash of the scheme, so that a file of keys tells of which
// parameters it is.
type sampleKeyer struct {
	lsh.Hashed
	params sample.Params
	scheme string
	tag    uint64
	set    []uint64
}

// textBits are the bits of a digest that tell texts apart.
const textBits = 1<<48 - 1

func (k *sampleKeyer) Append(dst []lsh.Key, s line.Signature) (_ []lsh.Key, err error) {
	if string(s.Body) == schemes.Empty {
		return dst, nil
	}
	var digest uint64
	if k.set, digest, err = k.params.Decode(k.set[:0], s.Body); err != nil {
		return dst, err
	}
	for _, h := range k.set {
		dst = append(dst, lsh.Key{Bucket: h, Digest: k.tag | digest&textBits})
	}
	return dst, nil
}

// CheckDigest returns an error if a key with this digest was made of other samples.
func (k *sampleKeyer) CheckDigest(digest uint64) error {
	if (k.tag^digest)&^textBits != 0 {
		return fmt.Errorf("the keys are not of the scheme %s", k.scheme)
	}
	return nil
}
