// Package exacthash hashes records to 128 bits, to find equal records.
//
// A text is hashed with [digest.Hash]: with XXH3-128 or, if a key is given, with HighwayHash-128,
// which protects against texts that were constructed to collide. If a text has several fields, the
// positions of their ends are hashed too, so that ("ab", "c") and ("a", "bc") have different
// hashes.
package exacthash

import (
	"encoding/binary"
	"fmt"
	"strings"

	"doppel/pkg/digest"
)

// A Sum is the hash of a record.
type Sum = digest.Sum

// Options define which part of a record is hashed, and how.
type Options struct {
	Key       []byte // key of digest.KeySize bytes for HighwayHash, or nil for XXH3
	Whole     bool   // hash the whole record instead of its text
	Valued    bool   // hash the text together with a value of its record
	Normalize Normalization
}

// hash returns the hash function, or an error if the key has the wrong size.
func (o Options) hash() (h digest.Hash, err error) {
	if o.Key != nil {
		h, err = digest.Keyed(o.Key)
	}
	return h, err
}

func appendEnds(dst []byte, ends []int) []byte {
	for _, end := range ends {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(end))
	}
	return dst
}

// A Scheme fixes everything that affects a hash. It does not contain the key, only a check value of
// the key. It is written as one word, such as exact/xxh3-128/text/none or
// exact/xxh3-128/text+value/none, which names the hash function, the hashed parts of the record, and the
// normalisation.
type Scheme struct {
	Hash      string // name of the hash function, as returned by digest.Hash.String
	Whole     bool   // hash the whole record instead of its text
	Valued    bool   // hash the text together with a value of its record
	Normalize Normalization
}

// hashed returns the name of what is hashed.
func (s Scheme) hashed() string {
	switch {
	case s.Whole:
		return "whole"
	case s.Valued:
		return "text+value"
	}
	return "text"
}

func (s Scheme) String() string {
	return fmt.Sprintf("exact/%s/%s/%v", s.Hash, s.hashed(), s.Normalize)
}

// Keyed reports whether the hash has a secret key.
func (s Scheme) Keyed() bool { return s.Hash != digest.Hash{}.String() }

// ParseScheme parses the output of String.
func ParseScheme(word string) (s Scheme, err error) {
	part := strings.Split(word, "/")
	if len(part) != 4 || part[0] != "exact" || s.Normalize.Set(part[3]) != nil {
		return s, fmt.Errorf("invalid exact scheme %q", word)
	}
	s.Hash, s.Whole, s.Valued = part[1], part[2] == "whole", part[2] == "text+value"
	check, highway := strings.CutPrefix(s.Hash, "highway-128-")
	_, hex := digest.ParseHex([]byte(check))
	if s.String() != word || s.Keyed() && !(highway && hex && len(check) == 8) {
		return s, fmt.Errorf("invalid exact scheme %q", word)
	}
	return s, nil
}

// Scheme returns the scheme that these options define, or an error if the key has the wrong size.
func (o Options) Scheme() (Scheme, error) {
	h, err := o.hash()
	return Scheme{h.String(), o.Whole, o.Valued, o.Normalize}, err
}
