package exacthash

import (
	"iter"

	"doppel/pkg/digest"
	"doppel/pkg/text"
)

// A Signer hashes texts after normalising them. Each goroutine needs its own.
type Signer struct {
	hash     digest.Hash
	shingler *text.Shingler // nil if texts are not normalised or are normalised as URLs
	url      bool           // true if texts are normalised as URLs
	key      []byte
	ends     []int
	work     []byte // scratch memory for the key and the ends of its fields
}

// NewSigner returns a signer, or an error if the key has the wrong size.
func (o Options) NewSigner() (*Signer, error) {
	h, err := o.hash()
	if err != nil {
		return nil, err
	}
	s := &Signer{hash: h, url: o.Normalize.URL}
	if o.Normalize.Text != text.None {
		s.shingler = text.NewShingler(text.Options{Shingle: text.Default.Shingle, Normalize: o.Normalize.Text})
	}
	return s, nil
}

// Sum returns the hash of a text. For a text with several fields, the last argument contains the
// end offset of each field. If all fields are empty after normalisation, there is no hash, and ok
// is false.
func (s *Signer) Sum(body []byte, ends []int) (sum Sum, ok bool) {
	if len(body) < max(1, len(ends)) {
		return Sum{}, false // all fields are empty; only the LFs between them are left
	}
	if len(body) > longBytes && !s.url {
		return s.sumParts(body, ends)
	}
	key := s.Key(body, ends)
	if len(key) == 0 {
		return Sum{}, false
	}
	return s.hash.Sum(key), true
}

// longBytes is the size in bytes above which a text is hashed in parts, to avoid a normalised copy
// of the whole text.
const longBytes = 1 << 18

// sumParts is like Sum, but hashes the text in parts.
func (s *Signer) sumParts(body []byte, ends []int) (sum Sum, ok bool) {
	if len(ends) < 2 {
		ends = []int{len(body)}
	}
	h, start, at := s.hash.NewStream(), 0, 0
	s.ends = s.ends[:0]
	for _, end := range ends {
		for part := range s.parts(body[start:end]) {
			h.Write(part)
			at += len(part)
		}
		s.ends = append(s.ends, at)
		start = end + 1 // fields are joined by LF
		if s.shingler == nil && end < len(body) {
			h.Write(body[end:start])
			at++
		}
	}
	if len(ends) > 1 {
		s.work = appendEnds(s.work[:0], s.ends)
		h.Write(s.work)
	}
	return h.Sum(), at > 0 || len(ends) > 1
}

// parts returns an iterator over pieces of the normalised form of a field.
func (s *Signer) parts(field []byte) iter.Seq[[]byte] {
	if s.shingler == nil {
		return func(yield func([]byte) bool) { yield(field) }
	}
	return s.shingler.Parts(field)
}

// Key returns the bytes that Sum hashes, for comparison byte by byte: the normalised text and,
// if it has several fields, the positions of their ends. The result is valid until the next
// call.
func (s *Signer) Key(body []byte, ends []int) []byte {
	key := body
	switch {
	case s.normalises() && len(ends) < 2:
		s.key = s.appendNormalized(s.key[:0], body)
		return s.key
	case s.normalises(): // normalise each field separately
		s.key, s.ends = s.key[:0], s.ends[:0]
		start := 0
		for _, end := range ends {
			s.key = s.appendNormalized(s.key, body[start:end])
			s.ends = append(s.ends, len(s.key))
			start = end + 1 // fields are joined by LF
		}
		key, ends = s.key, s.ends
	case len(ends) < 2:
		return body
	}
	s.work = appendEnds(append(s.work[:0], key...), ends)
	return s.work
}

func (s *Signer) normalises() bool { return s.url || s.shingler != nil }

func (s *Signer) appendNormalized(dst, field []byte) []byte {
	if s.url {
		return AppendURL(dst, field)
	}
	return s.shingler.Normalized(dst, field)
}

// Salt combines the sum of a text with a salt, so that equal texts with different salts have
// different sums. If only records with equal values are compared, the salt is the hash of the
// record's value.
func Salt(sum, salt Sum) Sum {
	return Sum{Hi: digest.Mix(sum.Hi ^ salt.Hi), Lo: digest.Mix(sum.Lo ^ salt.Lo)}
}
