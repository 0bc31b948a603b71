package recsign

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/signature"
	"doppel/pkg/simhash"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

type simhashOptions struct {
	bits    int
	hash    string
	form    string
	zero    bool
	verbose bool
	bitsTo  io.Writer // where the bits are printed, or nil
}

func (o *simhashOptions) flags(fs *pflag.FlagSet) {
	fs.IntVarP(&o.bits, "bits", "b", 64, "simhash: `N` bits: 32, 64 or 128")
	fs.StringVar(&o.hash, "hash", "city", "simhash: hash features by `NAME`: city or xxh3")
	fs.StringVar(&o.form, "unicode", "", "simhash: bring texts to `FORM` first: NFC, NFD, NFKC or NFKD")
	fs.BoolVar(&o.zero, "zero", false, "simhash: sign a text too short for a feature as 0")
	fs.BoolVarP(&o.verbose, "verbose", "v", false, "simhash: print the bits to stderr")
}

// begin prepares a verbose run: in one thread, to print in the order of the input.
func (o *simhashOptions) begin(e *tool.Env) {
	if o.verbose {
		o.bitsTo, e.Jobs = e.Stderr, 1
	}
}

// simhashText is what dedup.py signs: bigrams of code points of the text as it is.
var simhashText = text.Options{Shingle: text.Shingling{Unit: text.Chars, N: 2}, Normalize: text.None}

// newSimhash signs by simhash; --shingle and --normalize change what is signed
// only where they were given, except that words need a normalization.
func newSimhash(o *options) (*method, error) {
	s := simhash.Scheme{
		Text: simhashText,
		Hash: simhash.Func(o.simhash.hash),
		Bits: o.simhash.bits,
		Form: simhash.Form(o.simhash.form),
		Zero: o.simhash.zero,
	}
	if o.shingle {
		s.Text.Shingle = o.text.Shingle
	}
	if o.normalize || s.Text.Shingle.Unit == text.Words {
		s.Text.Normalize = o.text.Normalize
	}
	if err := s.Check(); err != nil {
		return nil, tool.UsageError("%v", err)
	}
	return &method{s.String(), func() signer { return simhashSigner(s, o.simhash.bitsTo) }}, nil
}

// simhashSigner returns a signer that prints the bits to bitsTo, if that is
// not nil, as dedup.py does: 128 digits.
func simhashSigner(s simhash.Scheme, bitsTo io.Writer) signer {
	signer, _ := simhash.NewTextSigner(s) // the scheme was checked
	return func(dst []byte, rec *record.Record) []byte {
		sum, ok := signer.Sign(rec.Text)
		if bitsTo != nil {
			fmt.Fprintf(bitsTo, "%s : %s\n", tool.Printable(string(rec.ID)), sum.Binary())
		}
		if !ok {
			return append(dst, signature.Empty...)
		}
		return sum.AppendHex(dst, s.Bits)
	}
}
