package stages

import (
	"github.com/spf13/pflag"

	"doppel/pkg/text"
)

// TextFlags adds the flags that say how a text becomes a shingle set.
func TextFlags(fs *pflag.FlagSet, o *text.Options) {
	*o = text.Default
	fs.Var(&o.Shingle, "shingle", "shingles of `wN|cN` words or code points")
	fs.Var(&o.Normalize, "normalize", "none, conservative, balanced or aggressive: `HOW` to normalise texts")
}
