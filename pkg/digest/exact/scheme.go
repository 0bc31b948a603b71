package exact

import (
	"fmt"
	"strings"

	"doppel/pkg/digest"
	"doppel/pkg/text"
)

// A Scheme fixes all that changes a hash, but for the key, of which it has a check.
// It is written as one word, exact/xxh3-128/text/none: the hash function, what is
// hashed, and the normalisation.
type Scheme struct {
	Hash      string // as digest.Hash names it
	Whole     bool   // the text is the whole record
	Normalize text.Normalization
}

// parts are what is hashed, by Whole.
var parts = map[bool]string{false: "text", true: "whole"}

func (s Scheme) String() string {
	return fmt.Sprintf("exact/%s/%s/%v", s.Hash, parts[s.Whole], s.Normalize)
}

// Keyed reports whether the hash has a secret key.
func (s Scheme) Keyed() bool { return s.Hash != digest.Hash{}.String() }

// ParseScheme parses what String returns.
func ParseScheme(word string) (s Scheme, err error) {
	part := strings.Split(word, "/")
	if len(part) != 4 || part[0] != "exact" || s.Normalize.Set(part[3]) != nil {
		return s, fmt.Errorf("scheme %q is none of exact", word)
	}
	s.Hash, s.Whole = part[1], part[2] == parts[true]
	if s.String() != word || s.Keyed() && !keyedName(s.Hash) {
		return s, fmt.Errorf("scheme %q is none of exact", word)
	}
	return s, nil
}

// keyedName reports whether a hash is HighwayHash, with the check of a key.
func keyedName(hash string) bool {
	check, ok := strings.CutPrefix(hash, "highway-128-")
	_, hex := digest.ParseHex([]byte(check))
	return ok && hex && len(check) == 8
}

// Scheme returns the scheme. The only error is a key of the wrong size.
func (o Options) Scheme() (Scheme, error) {
	h, err := o.hash()
	return Scheme{h.String(), o.Whole, o.Normalize}, err
}
