package method

import (
	"doppel/pkg/line"
	"doppel/pkg/lsh"
)

// A Keyer makes the keys of signatures of one scheme. Each goroutine needs its own.
type Keyer interface {
	lsh.Partition
	// Append appends the keys of a signature to dst.
	Append(dst []lsh.Key, s line.Signature) ([]lsh.Key, error)
}

// NewKeyer returns a keyer for a scheme.
func NewKeyer(scheme string, o lsh.Options) (Keyer, error) {
	s, err := Parse(scheme)
	if err != nil {
		return nil, err
	}
	return s.Keyer(o)
}

// An AnyKeyer makes the keys of signatures of any scheme. It keeps one keyer and
// makes another only when the scheme changes, which ends most runs.
type AnyKeyer struct {
	opt    lsh.Options
	scheme string
	keyer  Keyer
}

// NewAnyKeyer returns an AnyKeyer. Each goroutine needs its own.
func NewAnyKeyer(o lsh.Options) *AnyKeyer { return &AnyKeyer{opt: o} }

// Append appends the keys of a signature to dst.
func (a *AnyKeyer) Append(dst []lsh.Key, s line.Signature) ([]lsh.Key, error) {
	if a.keyer == nil || a.scheme != string(s.Scheme) {
		k, err := NewKeyer(string(s.Scheme), a.opt)
		if err != nil {
			return dst, err
		}
		a.scheme, a.keyer = string(s.Scheme), k
	}
	return a.keyer.Append(dst, s)
}

// CheckDigest returns an error if a key with this digest cannot be of the scheme of
// the last signature. Only sampled fingerprints tell, and they miss one mistake in
// 65,536.
func (a *AnyKeyer) CheckDigest(digest uint64) error {
	if k, ok := a.keyer.(interface{ CheckDigest(uint64) error }); ok {
		return k.CheckDigest(digest)
	}
	return nil
}
