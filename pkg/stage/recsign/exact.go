package recsign

import (
	"github.com/spf13/pflag"

	"doppel/pkg/digest"
	"doppel/pkg/exact"
	"doppel/pkg/record"
	"doppel/pkg/signature"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

type exactOptions struct {
	whole bool
	key   string
}

func (o *exactOptions) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.whole, "whole", false, "exact: sign the whole record, not its text")
	fs.StringVar(&o.key, "key", "", "exact: hash by HighwayHash with the 32-byte key in `FILE`")
}

// newExact signs by hash: of the text as it is, or as --normalize makes it.
func newExact(o *options) (*method, error) {
	how := text.None
	if o.normalize {
		how = o.text.Normalize
	}
	if o.exact.whole && how != text.None {
		return nil, tool.UsageError("--whole and --normalize exclude each other")
	}
	key, err := digest.ReadKey(o.exact.key)
	if err != nil {
		return nil, err
	}
	opt := exact.Options{Key: key, Whole: o.exact.whole, Normalize: how}
	scheme, err := opt.Scheme()
	return &method{scheme, func() signer { return exactSigner(opt) }}, err
}

func exactSigner(opt exact.Options) signer {
	s, _ := opt.NewSigner() // its scheme was asked for already
	return func(dst []byte, rec *record.Record) []byte {
		sum, ok := s.Sum(rec.Text, rec.Ends)
		if !ok {
			return append(dst, signature.Empty...)
		}
		return sum.AppendHex(dst)
	}
}
