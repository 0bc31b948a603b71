package method

import (
	"bytes"
	"errors"
	"fmt"

	"doppel/pkg/digest"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method/field"
)

// An exactScheme signs a text with a hash of the text or of its normalised form.
type exactScheme struct {
	exacthash.Scheme
	key    []byte // secret key of the hash; nil if the hash has no key or the key is unknown
	fields string
}

func newExact(s Settings, src Source) (Scheme, error) {
	var how exacthash.Normalization
	if s.Normalize != "" {
		if err := how.Set(s.Normalize); err != nil {
			return nil, fmt.Errorf("--normalize: %w", err)
		}
	}
	if s.Whole && how != (exacthash.Normalization{}) {
		return nil, errors.New("--whole and --normalize cannot be used together")
	}
	opt := exacthash.Options{Key: src.Key, Whole: s.Whole, Valued: field.Within(src.Fields), Normalize: how}
	scheme, err := opt.Scheme()
	return exactScheme{scheme, src.Key, src.Fields}, err
}

func parseExact(rest, fields string) (Scheme, error) {
	s, err := exacthash.ParseScheme(rest)
	if err == nil && s.Valued != field.Within(fields) {
		// Before "text+value", hashes of a text and a value did not depend on which was which.
		err = fmt.Errorf("scheme %q: want text+value with within=, and only then; sign the records again", rest+fields)
	}
	return exactScheme{Scheme: s, fields: fields}, err
}

func (s exactScheme) String() string { return s.Scheme.String() + s.fields }

// Signer returns a signer that hashes texts.
func (s exactScheme) Signer() (Signer, error) {
	if s.Keyed() && s.key == nil {
		return nil, needsKey(s)
	}
	signer, err := exacthash.Options{Key: s.key, Whole: s.Whole, Normalize: s.Normalize}.NewSigner()
	return &exactSigner{Signer: signer}, err
}

// needsKey returns the error for a parsed scheme whose secret key is unknown.
func needsKey(s Scheme) error { return fmt.Errorf("scheme %q needs the secret key of the hashes", s) }

type exactSigner struct {
	*exacthash.Signer
	valued bool
	value  []byte // value of the record that is signed next
}

func (s *exactSigner) Salt(value []byte) { s.valued, s.value = true, value }

func (s *exactSigner) Append(dst, body []byte, ends []int) []byte {
	sum, ok := s.Sum(body, ends)
	if !ok {
		return append(dst, schemes.Empty...)
	}
	if s.valued {
		sum = s.Valued(sum, s.value)
	}
	return sum.AppendHex(dst)
}

// Keyer returns a keyer that makes one key from each hash: the upper half is the bucket, and the
// lower half is the digest.
func (s exactScheme) Keyer(lsh.Options) (Keyer, error) { return hashKeyer{}, nil }

type hashKeyer struct{ lsh.ByHash }

func (hashKeyer) Append(dst []lsh.Key, s line.Signature) ([]lsh.Key, error) {
	if string(s.Body) == schemes.Empty {
		return dst, nil
	}
	sum, err := digest.Parse(s.Body)
	if err != nil {
		return dst, err
	}
	return append(dst, lsh.Key{Bucket: sum.Hi, Digest: sum.Lo}), nil
}

// Comparer returns a comparer that scores equal hashes 1 and different hashes 0.
func (s exactScheme) Comparer(m Measure) (Comparer, error) {
	if m != Similarity {
		return nil, noEstimate(s, m)
	}
	return hashComparer{}, nil
}

type hashComparer struct{}

// Decode returns the hash, or nil for an empty text.
func (hashComparer) Decode(body []byte) (Comparand, error) {
	if string(body) == schemes.Empty {
		return []byte(nil), nil
	}
	_, err := digest.Parse(body)
	return bytes.Clone(body), err
}

func (hashComparer) Compare(a, b Comparand) Estimate {
	if x := a.([]byte); x != nil && bytes.Equal(x, b.([]byte)) {
		return scored(1, true)
	}
	return Estimate{}
}
