package method

import (
	"fmt"

	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method/field"
)

// A Keyer makes keys from signatures of one scheme. Each goroutine needs its own.
type Keyer interface {
	lsh.Partition
	// Append appends the keys of a signature to dst.
	Append(dst []lsh.Key, s line.Signature) ([]lsh.Key, error)
}

// NewKeyer parses a scheme and returns a keyer for its signatures.
func NewKeyer(scheme string, o lsh.Options) (Keyer, error) {
	s, err := Parse(scheme)
	if err != nil {
		return nil, err
	}
	return s.Keyer(o)
}

// An AnyKeyer makes keys from signatures of any scheme. It keeps the keyer of the last
// signature's scheme and replaces it only when the scheme changes.
type AnyKeyer struct {
	opt    lsh.Options
	scheme string
	keyer  Keyer
	across bool      // true if signatures have a value, which Each appends to their keys
	within bool      // true if Append must make different keys for signatures with different values
	keys   []lsh.Key // scratch memory for the keys of one signature
	word   []byte    // scratch memory for the text of one key
}

// NewAnyKeyer returns a keyer for signatures of any scheme. Each goroutine needs its own keyer.
func NewAnyKeyer(o lsh.Options) *AnyKeyer { return &AnyKeyer{opt: o} }

// Append appends the keys of a signature to dst.
func (a *AnyKeyer) Append(dst []lsh.Key, s line.Signature) ([]lsh.Key, error) {
	if err := a.useScheme(s.Scheme); err != nil {
		return dst, err
	}
	before := len(dst)
	dst, err := a.keyer.Append(dst, s)
	if err == nil && a.within {
		value, ok := digest.ParseHex(s.Value)
		if !ok {
			return dst[:before], fmt.Errorf("invalid value %q of a signature: want 16 hex digits", s.Value)
		}
		for i := range dst[before:] {
			dst[before+i] = dst[before+i].Within(value)
		}
	}
	return dst, err
}

// useScheme sets a.keyer to a keyer for the given scheme, if the scheme has changed.
func (a *AnyKeyer) useScheme(scheme []byte) error {
	if a.keyer != nil && a.scheme == string(scheme) {
		return nil
	}
	k, err := NewKeyer(string(scheme), a.opt)
	if err == nil {
		a.scheme, a.keyer, a.across = string(scheme), k, field.Across(string(scheme))
		// Signatures made by the method "exact" already depend on the value.
		a.within = field.Within(a.scheme) && schemes.Method(a.scheme) == "minhash"
	}
	return err
}

// Across reports whether the last signature has a value and is compared only with signatures
// that have other values.
func (a *AnyKeyer) Across() bool { return a.across }

// Each calls fn with a line for every key of a signature. The line is valid until fn returns.
// Unlike Append, Each supports the method "passage", whose lines contain positions in the record.
func (a *AnyKeyer) Each(s line.Signature, fn func(line.Key)) (err error) {
	if err := a.useScheme(s.Scheme); err != nil {
		return err
	}
	if k, ok := a.keyer.(interface {
		each(line.Signature, func(line.Key)) error
	}); ok {
		return k.each(s, fn)
	}
	if a.keys, err = a.Append(a.keys[:0], s); err != nil {
		return err
	}
	for _, k := range a.keys {
		if a.word = k.AppendText(a.word[:0]); a.across {
			a.word = append(append(a.word, '.'), s.Value...)
		}
		fn(line.Key{Text: a.word, ID: s.ID})
	}
	return nil
}

// CheckDigest returns an error if a key with this digest cannot belong to the scheme of the last
// signature. Only keys made by the method "sample" can be checked, and one wrong key in 65,536
// passes the check.
func (a *AnyKeyer) CheckDigest(digest uint64) error {
	if k, ok := a.keyer.(interface{ CheckDigest(uint64) error }); ok {
		return k.CheckDigest(digest)
	}
	return nil
}
