package method

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/fingerprint"
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/text"
)

// A sampleScheme signs a text with a sample of the fingerprints of its windows.
type sampleScheme struct {
	fingerprint.Params
	how    text.Normalization
	fields string
}

// newSample returns a Scheme that uses the method "sample". By default, texts are normalised only
// if windows consist of words.
func newSample(s Settings, src Source) (Scheme, error) {
	if s.Winnow != 0 && s.Criterion != "" {
		return nil, errors.New("--winnow and --criterion cannot be used together")
	}
	p := fingerprint.Params{Prime: s.Prime, Winnow: s.Winnow, Raw: s.Raw, Criterion: fingerprint.Default.Criterion}
	var err error
	if p.Unit, p.Window, err = fingerprint.ParseWindow(s.Window); err != nil {
		return nil, err
	}
	if p.Modulus, err = fingerprint.ParseModulus(s.Modulus); err != nil {
		return nil, err
	}
	if s.Criterion != "" {
		if err := p.SetCriteria(s.Criterion); err != nil {
			return nil, err
		}
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	own := text.None
	if p.Unit == fingerprint.Words {
		own = text.Default.Normalize
	}
	how, err := s.normalization(own)
	return sampleScheme{p, how, src.Fields}, err
}

func parseSample(rest, fields string) (Scheme, error) {
	p, how, err := fingerprint.ParseParams(rest)
	s := sampleScheme{Params: p, fields: fields}
	if err == nil {
		err = s.how.Set(how)
	}
	return s, err
}

func (s sampleScheme) String() string { return s.Params.String() + "/" + s.how.String() + s.fields }

// Keyer returns a keyer that makes a key from each fingerprint.
func (s sampleScheme) Keyer(lsh.Options) (Keyer, error) {
	return &sampleKeyer{params: s.Params, scheme: s.String(), tag: xxhash.Sum64String(s.String()) &^ textBits}, nil
}

// A sampleKeyer makes a key from each fingerprint in a sample. The fingerprint is the bucket. A
// hash of the bucket selects the partition, because the fingerprints of a sample may all have zeros
// in the same low bits or, if they are the least of many, in the high bits. The digest is 16 bits
// of the hash of the scheme followed by 48 bits of the text's digest, so that CheckDigest can
// detect keys of other schemes.
type sampleKeyer struct {
	lsh.ByHash
	params fingerprint.Params
	scheme string
	tag    uint64
	set    []uint64
}

// textBits is the mask of the bits of a key's digest that come from the text.
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

// CheckDigest returns an error if a key with this digest belongs to another scheme.
func (k *sampleKeyer) CheckDigest(digest uint64) error {
	if (k.tag^digest)&^textBits != 0 {
		return fmt.Errorf("the keys do not have the scheme %s", k.scheme)
	}
	return nil
}

// Signer returns a signer that samples the fingerprints of each text.
func (s sampleScheme) Signer() (Signer, error) {
	sampler, err := fingerprint.New(s.Params)
	if err != nil {
		return nil, err
	}
	words := text.Options{Shingle: text.Shingling{Unit: text.Words, N: 1}, Normalize: s.how}
	t := sampleSigner{scheme: s, sampler: sampler, shingler: text.NewShingler(words)}
	if s.Unit == fingerprint.Words {
		return &wordSampler{sampleSigner: t}, nil
	}
	return &t, nil
}

// A sampleSigner samples windows of bytes or characters.
type sampleSigner struct {
	scheme   sampleScheme
	sampler  *fingerprint.Sampler
	shingler *text.Shingler
	set      []uint64
	normal   []byte // what the digest is taken of, which distinguishes texts with equal sets
}

func (s *sampleSigner) Append(dst, body []byte, _ []int) []byte {
	s.normal = s.shingler.Normalized(text.Reuse(s.normal), body)
	s.set = s.sampler.Append(s.set[:0], slices.Values([][]byte{s.normal}))
	return s.scheme.AppendEncoded(dst, s.set, xxhash.Sum64(s.normal))
}

// A wordSampler samples windows of words.
type wordSampler struct {
	sampleSigner
	words []uint64
}

func (s *wordSampler) Append(dst, body []byte, _ []int) []byte {
	s.words = s.shingler.Append(text.Reuse(s.words), body)
	s.set = s.sampler.AppendValues(s.set[:0], slices.Values([][]uint64{s.words}))
	s.normal = text.Reuse(s.normal)
	for _, w := range s.words {
		s.normal = binary.LittleEndian.AppendUint64(s.normal, w)
	}
	return s.scheme.AppendEncoded(dst, s.set, xxhash.Sum64(s.normal))
}

// Comparer returns a comparer that estimates resemblance or containment, with a confidence
// interval, from the overlap of two samples.
func (s sampleScheme) Comparer(m Measure) (Comparer, error) { return sampleComparer{s.Params, m}, nil }

type sampleComparer struct {
	params  fingerprint.Params
	measure Measure
}

type sampleSet struct {
	prints []uint64
	digest uint64 // digest of the whole text
}

func (c sampleComparer) Decode(body []byte) (Comparand, error) {
	prints, digest, err := c.params.Decode(nil, body)
	return &sampleSet{prints, digest}, err
}

func (c sampleComparer) Compare(a, b Comparand) Estimate {
	x, y := a.(*sampleSet), b.(*sampleSet)
	both := fingerprint.Overlap{A: len(x.prints), B: len(y.prints), Shared: jaccard.Shared(x.prints, y.prints, 0)}
	var score fingerprint.Estimate // the resemblance, or the containment of the smaller set
	switch {
	case c.measure == Similarity:
		score = both.Resemblance(fingerprint.Confidence95)
	case both.A < both.B:
		score = both.InA(fingerprint.Confidence95)
	default:
		score = both.InB(fingerprint.Confidence95)
	}
	return Estimate{
		SampleScore: line.SampleScore{
			Score:        score.Value,
			ContainmentA: both.InA(0).Value, ContainmentB: both.InB(0).Value,
			SizeA: int64(both.A), SizeB: int64(both.B), Shared: int64(both.Shared),
			Low: score.Low, High: score.High,
		},
		Interval: true,
		Equal:    both.Shared > 0 && x.digest == y.digest,
	}
}
