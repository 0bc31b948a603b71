package method

import (
	"fmt"

	"doppel/pkg/fingerprint"
	"doppel/pkg/text"
)

// Settings holds the settings of all methods. Each method reads its own.
type Settings struct {
	Shingle   string // minhash, simhash: wN or cN; "": the method's default
	Normalize string // all methods: the name of a normalization; "": the method's default

	Slots    int    // minhash: number of slots in a sketch
	SlotBits int    // minhash: bits of a slot: 8, 16 or 32
	Seed     uint64 // minhash: seed of the hashes

	Bits int    // simhash: 32, 64 or 128
	Hash string // simhash: hash of the features: city or xxh3
	Form string // simhash: a Unicode normalization form, or ""
	Zero bool   // simhash: sign a text too short for a feature as 0

	Window    string // sample: N bytes, cN characters or wN words
	Prime     uint64 // sample: base of the polynomial hash
	Modulus   string // sample: number of hash values, such as 2^64
	Criterion string // sample: BITS or VALUE/MASK, separated by commas; "": 8 bits
	Winnow    int    // sample: keep the least hash of this many windows; 0: use the criterion
	Raw       bool   // sample: neither mix hashes nor drop padding

	Whole bool // exact: sign the whole record

	Length string // passage: the shortest passage: N bytes, or wN words
}

// A Source holds the parts of a scheme that are not settings.
type Source struct {
	Fields string // the fields that form the text: field.Part of the read options
	Key    []byte // exact, minhash: the key of HighwayHash; nil: a hash without a key
}

// DefaultSettings returns the settings of a run without flags.
func DefaultSettings() Settings {
	return Settings{
		Slots: 128, SlotBits: 16, Seed: 1,
		Bits: 64, Hash: "city",
		Window: "50", Prime: fingerprint.Default.Prime, Modulus: "2^64",
		Length: "200",
	}
}

// text returns the options for splitting texts into shingles; own contains the method's
// defaults.
func (s *Settings) text(own text.Options) (o text.Options, err error) {
	if o = own; s.Shingle != "" {
		if err := o.Shingle.Set(s.Shingle); err != nil {
			return o, fmt.Errorf("--shingle: %w", err)
		}
	}
	o.Normalize, err = s.normalization(own.Normalize)
	return o, err
}

// normalization returns the normalization of texts; own is the method's default.
func (s *Settings) normalization(own text.Normalization) (text.Normalization, error) {
	if s.Normalize == "" {
		return own, nil
	}
	if err := own.Set(s.Normalize); err != nil {
		return own, fmt.Errorf("--normalize: %w", err)
	}
	return own, nil
}
