package method

import (
	"errors"
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/lsh"
	"doppel/pkg/msg"
	"doppel/pkg/passage"
	"doppel/pkg/passage/keyline"
	"doppel/pkg/text"
)

// A passageScheme signs a text with a list of its runs, as defined by [passage.Run].
type passageScheme struct {
	passage.Scheme
	fields string
}

// newPassage returns a Scheme that uses the method "passage". Texts are normalised only if the
// minimum length of a passage is in words.
func newPassage(s Settings, src Source) (Scheme, error) {
	p, err := PassageScheme(s.Length, s.Normalize)
	return passageScheme{p, src.Fields}, err
}

// PassageScheme returns the scheme for a minimum length and a normalization. The length is a number
// of bytes, such as "200", or of words, such as "w50". An empty name of a normalization means the
// default for words, and no normalization for bytes.
func PassageScheme(length, normalize string) (p passage.Scheme, err error) {
	s := Settings{Normalize: normalize}
	how, err := s.normalization(text.Balanced)
	if err != nil {
		return p, err
	}
	if p, err = passage.NewScheme(length, how); err != nil {
		return p, fmt.Errorf("--length: %w", err)
	}
	if p.Unit == passage.Bytes && normalize != "" && how != text.None {
		return p, errors.New("--normalize needs a --length in words, such as w50")
	}
	return p, nil
}

func parsePassage(rest, fields string) (Scheme, error) {
	p, err := passage.ParseScheme(rest)
	return passageScheme{p, fields}, err
}

func (s passageScheme) String() string { return s.Scheme.String() + s.fields }

// Signer returns a signer that finds the runs of passages in a text.
func (s passageScheme) Signer() (Signer, error) {
	signer, err := passage.NewSigner(s.Scheme)
	return passageSigner{signer}, err
}

type passageSigner struct{ signer *passage.Signer }

func (s passageSigner) Append(dst, body []byte, _ []int) []byte {
	return passage.AppendBody(dst, s.signer.Each(body))
}

// Keyer returns a keyer that makes a key from each run of passages.
func (s passageScheme) Keyer(lsh.Options) (Keyer, error) {
	return &passageKeyer{scheme: s.String()}, nil
}

// A passageKeyer makes a line for each run of passages, with the run's key and its position in the
// record.
type passageKeyer struct {
	lsh.ByHash
	scheme     string
	runs       []passage.Run
	key, place []byte
}

// Append always returns an error, because the keys of passages match parts of records, not whole
// records.
func (k *passageKeyer) Append(dst []lsh.Key, _ line.Signature) ([]lsh.Key, error) {
	return dst, msg.WithHint(fmt.Errorf("scheme %q makes no pairs of records", k.scheme), "use {lshkeys} and {dupspan} instead")
}

func (k *passageKeyer) each(s line.Signature, fn func(line.Key)) (err error) {
	if k.runs, err = passage.AppendParsed(k.runs[:0], s.Body); err != nil {
		return err
	}
	for _, r := range k.runs {
		k.key = keyline.AppendKey(k.key[:0], r, k.scheme)
		k.place = keyline.AppendPlace(k.place[:0], s.ID, r)
		fn(line.Key{Text: k.key, ID: k.place})
	}
	return nil
}

// Comparer always returns an error, because equal runs do not prove equal passages.
func (s passageScheme) Comparer(m Measure) (Comparer, error) { return nil, noEstimate(s, m) }
