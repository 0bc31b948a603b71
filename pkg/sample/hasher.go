package sample

// A Hasher gives the hash of every window, in the order of the text, where a
// [Sampler] gives a set of some. Neither the criterion nor winnowing is
// applied, and padding is not left out. It is not safe for concurrent use.
//
// Cost: that of rolling, about 1 ns a byte.
type Hasher struct{ roller roller }

// NewHasher returns a Hasher, or what [Params.Check] has against p.
func NewHasher(p Params) (*Hasher, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return &Hasher{newRoller(p)}, nil
}

// AppendBytes appends the hashes of the windows of text, whose units are its
// bytes: one for each place where a whole window begins.
func (h *Hasher) AppendBytes(dst []uint64, text []byte) []uint64 {
	return appendHashes(&h.roller, dst, text)
}

// AppendValues does as [Hasher.AppendBytes] for units of any kind, each given
// as its value.
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
	start(r, dst[at:at+1], t[:r.Window])
	roll(r, dst[at+1:], t)
	return dst
}
