package exact

import "doppel/pkg/text"

// Options say what is hashed of a record, and how.
type Options struct {
	Key       []byte // of KeySize bytes: HighwayHash; nil: XXH3
	Whole     bool   // the text is the whole record
	Normalize text.Normalization
}

// Scheme names all that changes a hash, as in exact/xxh3-128/text/none.
func (o Options) Scheme() (string, error) {
	s, err := o.NewSigner()
	if err != nil {
		return "", err
	}
	part := "text"
	if o.Whole {
		part = "whole"
	}
	return "exact/" + s.hasher.Name() + "/" + part + "/" + o.Normalize.String(), nil
}

// A Signer hashes texts, after it has normalised them. Each goroutine needs
// its own.
type Signer struct {
	hasher   *Hasher
	shingler *text.Shingler // nil: texts as they are
	key      []byte
	ends     []int
}

// NewSigner returns a signer. The only error is a key of the wrong size.
func (o Options) NewSigner() (*Signer, error) {
	s := &Signer{hasher: New()}
	if o.Key != nil {
		h, err := NewKeyed(o.Key)
		if err != nil {
			return nil, err
		}
		s.hasher = h
	}
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
	key, ends := s.normalized(body, ends)
	if len(key) == 0 {
		return Sum{}, false
	}
	return s.hasher.Sum(key, ends), true
}

// Key returns what Sum hashes, for comparisons byte by byte: the normalised
// text and, if it has several fields, a byte sequence that differs wherever
// their ends do. It is valid until the next call.
func (s *Signer) Key(body []byte, ends []int) []byte {
	key, ends := s.normalized(body, ends)
	if len(ends) < 2 {
		return key
	}
	return s.hasher.withEnds(key, ends)
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
