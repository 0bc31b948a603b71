package main

import (
	"os"

	"github.com/spf13/pflag"

	"doppel/pkg/exact"
	"doppel/pkg/record"
	"doppel/pkg/signature"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

type exactOptions struct {
	whole bool
	keyed string
}

func (o *exactOptions) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.whole, "whole", false, "exact: sign the whole record, not its text")
	fs.StringVar(&o.keyed, "keyed", "", "exact: hash by HighwayHash with the 32-byte key in `FILE`")
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
	newHasher, err := o.exact.hasher()
	if err != nil {
		return nil, err
	}
	part := "text"
	if o.exact.whole {
		part = "whole"
	}
	scheme := "exact/" + newHasher().Name() + "/" + part + "/" + how.String()
	return &method{scheme, func() signer { return exactSigner(newHasher(), how) }}, nil
}

func (o *exactOptions) hasher() (func() *exact.Hasher, error) {
	if o.keyed == "" {
		return exact.New, nil
	}
	key, err := os.ReadFile(o.keyed)
	if err != nil {
		return nil, err
	}
	if _, err := exact.NewKeyed(key); err != nil {
		return nil, tool.UsageError("%s: %v", o.keyed, err)
	}
	return func() *exact.Hasher {
		h, _ := exact.NewKeyed(key) // the key was checked above
		return h
	}, nil
}

func exactSigner(h *exact.Hasher, how text.Normalization) signer {
	shingler := text.NewShingler(text.Options{Shingle: text.Default.Shingle, Normalize: how})
	var work []byte
	return func(dst []byte, rec *record.Record) []byte {
		body, ends := rec.Text, rec.Ends
		if how != text.None {
			work = shingler.Normalized(work[:0], rec.Text)
			body, ends = work, nil
		}
		if len(body) == 0 {
			return append(dst, signature.Empty...)
		}
		return h.Sum(body, ends).AppendHex(dst)
	}
}
