package method

import (
	"github.com/cespare/xxhash/v2"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/simhash"
	"doppel/pkg/text"
)

// A simhashScheme signs a text with its simhash: each bit is the majority of that bit in the
// hashes of the text's features.
type simhashScheme struct {
	simhash.Scheme
	fields string
}

// simhashText contains the default options, which are the same as in the Python script dedup.py:
// the features are bigrams of code points, and texts are not normalised.
var simhashText = text.Options{Shingle: text.Shingling{Unit: text.Chars, N: 2}, Normalize: text.None}

// newSimhash returns a Scheme that uses the method "simhash". By default, texts are normalised only
// if shingles consist of words, because words cannot be found without normalization.
func newSimhash(s Settings, src Source) (Scheme, error) {
	how, err := s.text(simhashText)
	if err != nil {
		return nil, err
	}
	if how.Shingle.Unit == text.Words && s.Normalize == "" {
		how.Normalize = text.Default.Normalize
	}
	scheme := simhash.Scheme{Text: how, Hash: simhash.Func(s.Hash), Bits: s.Bits, Form: simhash.Form(s.Form), Zero: s.Zero}
	return simhashScheme{scheme, src.Fields}, scheme.Check()
}

func parseSimhash(rest, fields string) (Scheme, error) {
	s, err := simhash.ParseScheme(rest)
	return simhashScheme{s, fields}, err
}

func (s simhashScheme) String() string { return s.Scheme.String() + s.fields }

// Signer returns a signer that computes simhashes.
func (s simhashScheme) Signer() (Signer, error) {
	signer, err := simhash.NewTextSigner(s.Scheme)
	return simhashSigner{signer, s.Bits}, err
}

type simhashSigner struct {
	signer *simhash.TextSigner
	bits   int
}

func (s simhashSigner) Append(dst, body []byte, _ []int) []byte {
	sum, ok := s.signer.Sign(body)
	if !ok {
		return append(dst, schemes.Empty...)
	}
	return sum.AppendHex(dst, s.bits)
}

// Keyer returns a keyer that makes one key from each combination of blocks of bits.
func (s simhashScheme) Keyer(o lsh.Options) (Keyer, error) {
	keys, err := simhash.NewKeys(s.Bits, o.Within)
	if err != nil {
		return nil, err
	}
	return &blockKeyer{Parts: lsh.Parts(keys.Len()), keys: keys}, nil
}

// A blockKeyer makes the keys of simhashes. Equal simhashes do not imply equal texts, so the digest
// of a key is a hash of the record's id. Otherwise, records with equal simhashes would count as
// equal.
type blockKeyer struct {
	lsh.Parts
	keys   *simhash.Keys
	blocks []uint64
}

func (k *blockKeyer) Append(dst []lsh.Key, s line.Signature) ([]lsh.Key, error) {
	if string(s.Body) == schemes.Empty {
		return dst, nil
	}
	h, _, err := simhash.ParseHex(string(s.Body))
	if err != nil {
		return dst, err
	}
	k.blocks = k.keys.Append(k.blocks[:0], h)
	digest := xxhash.Sum64(s.ID)
	for i, b := range k.blocks {
		dst = append(dst, lsh.Key{Bucket: k.Bucket(i, lsh.Hash(b)), Digest: digest})
	}
	return dst, nil
}

// Comparer always returns an error, because the distance between two simhashes does not estimate a
// measure.
func (s simhashScheme) Comparer(m Measure) (Comparer, error) { return nil, noEstimate(s, m) }
