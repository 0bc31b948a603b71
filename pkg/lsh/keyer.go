package lsh

import (
	"fmt"
	"strings"

	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/minhash"
)

// A Keyer makes the keys of signatures of one scheme. Each goroutine needs
// its own.
type Keyer interface {
	// Append appends the keys of a signature to dst.
	Append(dst []Key, s line.Signature) ([]Key, error)
	// Partitions is how many partitions buckets fall into, and Partition says
	// into which: a coarse rank, by which a sort of keys can be split.
	Partitions() int
	Partition(bucket uint64) int
}

// Options say how signatures become keys.
type Options struct {
	Threshold float64 // of similarity, for the choice of bands
	Recall    float64 // at the threshold, likewise
	Bands     Bands   // given instead; a zero is chosen from the other
	Within    int     // distance in bits at which simhashes still share a key
}

// Settle returns the banding of k slots: as given, or chosen.
func (o Options) Settle(k int) (Bands, error) {
	b := o.Bands
	switch {
	case b == (Bands{}):
		b = Choose(k, o.Threshold, o.Recall)
	case b.B == 0:
		b.B = min(k/max(b.R, 1), MaxBands)
	case b.R == 0:
		b.R = k / b.B
	}
	return b, b.Check(k)
}

// NewKeyer returns a keyer for a scheme.
func NewKeyer(scheme string, o Options) (Keyer, error) {
	method, _, _ := strings.Cut(scheme, "/")
	switch method {
	case "minhash":
		s, err := minhash.ParseScheme(scheme)
		if err != nil {
			return nil, err
		}
		b, err := o.Settle(s.Slots)
		return &bandKeyer{b, minhash.Codec{K: s.Slots, B: s.Bits}, minhash.Sketch{Slots: make([]uint32, s.Slots)}}, err
	case "simhash":
		return newBlockKeyer(scheme, o.Within)
	case "sample":
		return newSampleKeyer(scheme)
	case "exact":
		return exactKeyer{}, nil
	}
	return nil, fmt.Errorf("scheme %q has no keys", scheme)
}

// A bandKeyer makes the keys of sketches.
type bandKeyer struct {
	bands  Bands
	codec  minhash.Codec
	sketch minhash.Sketch
}

func (k *bandKeyer) Append(dst []Key, s line.Signature) ([]Key, error) {
	if string(s.Body) == line.Empty {
		return dst, nil
	}
	if err := k.codec.Decode(&k.sketch, s.Body); err != nil {
		return dst, err
	}
	return k.bands.Append(dst, k.sketch.Slots, k.sketch.Digest), nil
}

// A band's keys fall into 256 partitions.
func (k *bandKeyer) Partitions() int             { return k.bands.B << 8 }
func (k *bandKeyer) Partition(bucket uint64) int { return int(bucket >> (hashBits - 8)) }

// An exactKeyer makes one key of a 128-bit hash: its halves.
type exactKeyer struct{}

func (exactKeyer) Append(dst []Key, s line.Signature) ([]Key, error) {
	if string(s.Body) == line.Empty {
		return dst, nil
	}
	sum, err := digest.Parse(s.Body)
	if err != nil {
		return dst, err
	}
	return append(dst, Key{sum.Hi, sum.Lo}), nil
}

func (exactKeyer) Partitions() int             { return 256 }
func (exactKeyer) Partition(bucket uint64) int { return int(bucket >> 56) }

// An AnyKeyer makes the keys of signatures of any scheme. It keeps one keyer and
// makes another only when the scheme changes, which ends most runs.
type AnyKeyer struct {
	opt    Options
	scheme string
	keyer  Keyer
}

// NewAnyKeyer returns an AnyKeyer. Each goroutine needs its own.
func NewAnyKeyer(o Options) *AnyKeyer { return &AnyKeyer{opt: o} }

// Append appends the keys of a signature to dst.
func (a *AnyKeyer) Append(dst []Key, s line.Signature) ([]Key, error) {
	if a.keyer == nil || a.scheme != string(s.Scheme) {
		k, err := NewKeyer(string(s.Scheme), a.opt)
		if err != nil {
			return dst, err
		}
		a.scheme, a.keyer = string(s.Scheme), k
	}
	return a.keyer.Append(dst, s)
}
