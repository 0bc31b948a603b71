package option

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/text"
)

// Text says how the shingle set of a text is made.
type Text struct {
	text.Options
	Key string // file with the 32-byte key of the shingle hashes; "" for no key
}

// DefaultText returns the default options for minhash signatures.
func DefaultText() Text { return Text{Options: text.Default} }

// Flags registers the flags that set these options.
func (t *Text) Flags(fs *pflag.FlagSet) {
	fs.Var(&t.Shingle, "shingle", "make shingles of N words or characters: `wN|cN`")
	fs.Var(&t.Normalize, "normalize", "normalise texts by `HOW`, such as none; one of: none, conservative, balanced or aggressive; "+text.Explained)
	fs.StringVar(&t.Key, "key", t.Key, "hash shingles by HighwayHash with the 32-byte key in `FILE`")
	flagset.Assign(fs, flagset.Duplicates, "shingle", "normalize")
	flagset.Assign(fs, flagset.Signatures, "key")
}
