package minhash

import (
	"fmt"

	"doppel/pkg/text"
)

// A Scheme fixes all that changes a sketch. It is written as one word, e.g.
// minhash/w3/128x16/s1/balanced: shingles, slots x bits, seed, normalisation.
type Scheme struct {
	Text  text.Options
	Slots int
	Bits  int // of a slot: 8, 16 or 32
	Seed  uint64
}

func (s Scheme) String() string {
	return fmt.Sprintf("minhash/%v/%dx%d/s%d/%v", s.Text.Shingle, s.Slots, s.Bits, s.Seed, s.Text.Normalize)
}

// Check returns an error if there is no such scheme.
func (s Scheme) Check() error {
	switch {
	case s.Slots < 1 || s.Slots > MaxSlots:
		return fmt.Errorf("%d slots: want 1 to %d", s.Slots, MaxSlots)
	case s.Bits != 8 && s.Bits != 16 && s.Bits != 32:
		return fmt.Errorf("%d bits a slot: want 8, 16 or 32", s.Bits)
	}
	return nil
}

// ParseScheme parses what String returns.
func ParseScheme(word string) (s Scheme, err error) {
	var shingle, how string
	// %s takes all up to a space, so the slashes become spaces first.
	spaced := []byte(word)
	for i, c := range spaced {
		if c == '/' {
			spaced[i] = ' '
		}
	}
	_, err = fmt.Sscanf(string(spaced), "minhash %s %dx%d s%d %s", &shingle, &s.Slots, &s.Bits, &s.Seed, &how)
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
		err = fmt.Errorf("it would be written %s", s)
	}
	if err != nil {
		return s, fmt.Errorf("scheme %q: %w", word, err)
	}
	return s, nil
}
