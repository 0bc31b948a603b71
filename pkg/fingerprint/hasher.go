package fingerprint

// A Hasher returns the hash of every window of a text, in the order of the text. Unlike a
// [Sampler], it applies neither the criteria nor winnowing, and keeps padding and repeats. It is
// not safe for concurrent use.
//
// Hashing takes about 1 ns per byte.
type Hasher struct{ roller roller }

// NewHasher returns a Hasher with the parameters p. It returns an error if [Params.Check] does.
func NewHasher(p Params) (*Hasher, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return &Hasher{newRoller(p)}, nil
}

// AppendBytes appends the hashes of the windows of text to dst, with bytes as units. It appends one
// hash for each position at which a whole window begins.
func (h *Hasher) AppendBytes(dst []uint64, text []byte) []uint64 {
	return appendHashes(&h.roller, dst, text)
}

// AppendValues is like [Hasher.AppendBytes], but takes the values of units of any kind.
func (h *Hasher) AppendValues(dst, values []uint64) []uint64 {
	return appendHashes(&h.roller, dst, values)
}

func appendHashes[T unit](r *roller, dst []uint64, t []T) []uint64 {
	n := len(t) - r.Window + 1
	if n < 1 {
		return dst
	}
	at := len(dst)
	if cap(dst)-at < n {
		dst = append(make([]uint64, 0, at+n+n/4), dst...)
	}
	dst = dst[:at+n]
	hashFirst(r, dst[at:at+1], t[:r.Window])
	hashNext(r, dst[at+1:], t)
	return dst
}
