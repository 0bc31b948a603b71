package exact

import (
	"doppel/pkg/digest"
	"doppel/pkg/text"
)

// A Signer hashes texts, after it has normalised them. Each goroutine needs
// its own.
type Signer struct {
	hash     digest.Hash
	shingler *text.Shingler // nil: texts as they are
	key      []byte
	ends     []int
	work     []byte // key with its ends
}

// NewSigner returns a signer. The only error is a key of the wrong size.
func (o Options) NewSigner() (*Signer, error) {
	h, err := o.hash()
	if err != nil {
		return nil, err
	}
	s := &Signer{hash: h}
	if o.Normalize != text.None {
		s.shingler = text.NewShingler(text.Options{Shingle: text.Default.Shingle, Normalize: o.Normalize})
	}
	return s, nil
}

// Sum returns the hash of a text; ends are those of its fields if it has
// several. A text all of whose fields are empty, or are so when normalised, has
// none, and ok is false.
func (s *Signer) Sum(body []byte, ends []int) (sum Sum, ok bool) {
	if len(body) < max(1, len(ends)) {
		return Sum{}, false // there is an LF between two fields
	}
	key := s.Key(body, ends)
	if len(key) == 0 {
		return Sum{}, false
	}
	return s.hash.Sum(key), true
}

// Key returns what Sum hashes, for comparisons byte by byte: the normalised
// text and, if it has several fields, a byte sequence that differs wherever
// their ends do. It is valid until the next call.
func (s *Signer) Key(body []byte, ends []int) []byte {
	key, ends := s.normalized(body, ends)
	if len(ends) < 2 {
		return key
	}
	s.work = appendEnds(append(s.work[:0], key...), ends)
	return s.work
}

// normalized normalises each field by itself.
func (s *Signer) normalized(body []byte, ends []int) ([]byte, []int) {
	if s.shingler == nil {
		return body, ends
	}
	if len(ends) < 2 {
		s.key = s.shingler.Normalized(s.key[:0], body)
		return s.key, nil
	}
	s.key, s.ends = s.key[:0], s.ends[:0]
	start := 0
	for _, end := range ends {
		s.key = s.shingler.Normalized(s.key, body[start:end])
		s.ends = append(s.ends, len(s.key))
		start = end + 1 // fields are joined by LF
	}
	return s.key, s.ends
}
