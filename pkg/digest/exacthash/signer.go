package exacthash

import (
	"encoding/binary"

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
// end offset of each field. A text without words is hashed unchanged. If all fields are empty,
// there is no hash, and ok is false.
func (s *Signer) Sum(body []byte, ends []int) (sum Sum, ok bool) {
	if len(body) < max(1, len(ends)) {
		return Sum{}, false // all fields are empty; only the LFs between them are left
	}
	return s.hash.Sum(s.Key(body, ends)), true
}

// Key returns the bytes that Sum hashes, for comparison byte by byte: the normalised text and,
// if it has several fields, the positions of their ends. The result is valid until the next
// call.
func (s *Signer) Key(body []byte, ends []int) []byte {
	key := body
	if len(ends) < 2 {
		if s.normalises() {
			s.key = s.appendNormalized(s.key[:0], body)
			key = s.key
		}
		if len(key) == 0 {
			key = body
		}
		return key
	}
	if s.normalises() { // normalise each field separately
		s.key, s.ends = s.key[:0], s.ends[:0]
		start := 0
		for _, end := range ends {
			s.key = s.appendNormalized(s.key, body[start:end])
			s.ends = append(s.ends, len(s.key))
			start = end + 1 // fields are joined by LF
		}
		if len(s.key) > 0 {
			key, ends = s.key, s.ends
		}
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

// Valued returns the hash of a text together with a value of its record, so that equal texts with
// different values have different hashes. It gets the hash of the text.
func (s *Signer) Valued(sum Sum, value []byte) Sum {
	s.work = binary.BigEndian.AppendUint64(s.work[:0], sum.Hi)
	s.work = binary.BigEndian.AppendUint64(s.work, sum.Lo)
	return s.hash.Sum(append(s.work, value...))
}
