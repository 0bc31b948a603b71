package minhash

import (
	"encoding/hex"
	"fmt"
	"strings"

	"doppel/pkg/text"
)

// version names the hash functions in a scheme: h2 means those of this package and of
// [text.Shingler]. Schemes of the first version contain no version. Sketches made with the first
// version have the same format, but different values in the slots.
const version = "h2"

// A Scheme fixes everything that affects a sketch. It is written as one word, such as
// minhash/h2/w3/128x16/s1/balanced: the version of the hash functions, the shingles, slots x
// bits, the seed and the normalisation. If the hash has a key, "highway-" and a check value of
// the key replace the version.
type Scheme struct {
	Key   string // check value of the secret key for hashing shingles, as eight hex digits; empty if there is no key
	Text  text.Options
	Slots int
	Bits  int // number of bits per slot: 8, 16 or 32
	Seed  uint64
}

func (s Scheme) String() string {
	return fmt.Sprintf("minhash/%s/%v/%dx%d/s%d/%v", s.hashName(), s.Text.Shingle, s.Slots, s.Bits, s.Seed, s.Text.Normalize)
}

const keyed = "highway-"

func (s Scheme) hashName() string {
	if s.Key == "" {
		return version
	}
	return keyed + s.Key
}

// Check returns an error if the scheme is invalid.
func (s Scheme) Check() error {
	switch {
	case s.Slots < 1 || s.Slots > maxSlots:
		return fmt.Errorf("slots %d: want 1 to %d", s.Slots, maxSlots)
	case s.Bits != 8 && s.Bits != 16 && s.Bits != 32:
		return fmt.Errorf("slot-bits %d: want 8, 16 or 32", s.Bits)
	}
	return nil
}

// A formerError reports a scheme of the first version, whose hash functions no longer exist.
type formerError struct{ Scheme string }

func (e *formerError) Error() string {
	return fmt.Sprintf("scheme %q: made by an earlier version with other hashes", e.Scheme)
}

// Hint returns advice for the user.
func (e *formerError) Hint() string { return "sign the records again" }

// ParseScheme parses the output of String. For a scheme of the first version, it returns a
// formerError.
func ParseScheme(word string) (s Scheme, err error) {
	part := strings.Split(word, "/")
	if len(part) == 5 && part[0] == "minhash" {
		if _, err := parseScheme("minhash/" + version + strings.TrimPrefix(word, "minhash")); err == nil {
			return s, &formerError{word}
		}
	}
	return parseScheme(word)
}

func parseScheme(word string) (s Scheme, err error) {
	var mark, shingle, how string
	// %s reads up to a space, so the slashes become spaces first.
	spaced := strings.ReplaceAll(word, "/", " ")
	_, err = fmt.Sscanf(spaced, "minhash %s %s %dx%d s%d %s", &mark, &shingle, &s.Slots, &s.Bits, &s.Seed, &how)
	if check, ok := strings.CutPrefix(mark, keyed); ok && len(check) == 8 {
		if _, err := hex.DecodeString(check); err == nil {
			s.Key = strings.ToLower(check)
		}
	}
	if err == nil {
		err = s.Text.Shingle.Set(shingle)
	}
	if err == nil {
		err = s.Text.Normalize.Set(how)
	}
	if err == nil {
		err = s.Check()
	}
	if err == nil && s.String() != word {
		err = fmt.Errorf("want %s", s)
	}
	if err != nil {
		return s, fmt.Errorf("invalid scheme %q: %w", word, err)
	}
	return s, nil
}
