package method

import (
	"fmt"

	"doppel/pkg/fingerprint"
	"doppel/pkg/text"
)

// Settings holds the settings of all methods. Each method reads only its own fields.
type Settings struct {
	Shingle   string // for minhash and simhash: wN or cN, or "" for the method's default
	Normalize string // for all methods: name of a normalization, or "" for the method's default

	Slots    int    // for minhash: number of slots in a sketch
	SlotBits int    // for minhash: number of bits of a slot, which is 8, 16 or 32
	Seed     uint64 // for minhash: seed of the hashes

	Bits int    // for simhash: number of bits, which is 32, 64 or 128
	Hash string // for simhash: hash function of the features, city or xxh3
	Form string // for simhash: Unicode normalization form, or "" for none
	Zero bool   // for simhash: true if a text that is too short for a feature has the simhash 0

	Window    string // for sample: N bytes, cN characters or wN words
	Prime     uint64 // for sample: base of the polynomial hash
	Modulus   string // for sample: modulus of the polynomial hash, such as 2^64
	Criterion string // for sample: BITS or VALUE/MASK, several separated by commas; "" means 8 bits
	Winnow    int    // for sample: W, to keep the least hash of every W consecutive windows; 0 to use Criterion instead
	Raw       bool   // for sample: true if hashes are not mixed and padding is not dropped

	Whole bool // for exact: true if the whole record is signed instead of its text

	Length string // for passage: minimum length of a passage, N bytes or wN words
}

// A Source holds the signed fields and the hash key of a scheme.
type Source struct {
	Fields string // names of the fields that form the text, as returned by field.Part
	Key    []byte // for exact and minhash: key of HighwayHash, or nil for a hash without a key
}

// DefaultSettings returns the settings that apply if no flags are given.
func DefaultSettings() Settings {
	return Settings{
		Slots: 128, SlotBits: 16, Seed: 1,
		Bits: 64, Hash: "city",
		Window: "50", Prime: fingerprint.Default.Prime, Modulus: "2^64",
		Length: "200",
	}
}

// text returns the options for splitting texts into shingles. The argument holds the method's
// defaults, which apply where the settings are empty.
func (s *Settings) text(own text.Options) (o text.Options, err error) {
	if o = own; s.Shingle != "" {
		if err := o.Shingle.Set(s.Shingle); err != nil {
			return o, fmt.Errorf("--shingle: %w", err)
		}
	}
	o.Normalize, err = s.normalization(own.Normalize)
	return o, err
}

// normalization returns the normalization that s.Normalize names or, if s.Normalize is empty, the
// argument, which is the method's default.
func (s *Settings) normalization(own text.Normalization) (text.Normalization, error) {
	if s.Normalize == "" {
		return own, nil
	}
	if err := own.Set(s.Normalize); err != nil {
		return own, fmt.Errorf("--normalize: %w", err)
	}
	return own, nil
}
