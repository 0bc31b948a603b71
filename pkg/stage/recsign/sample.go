package recsign

import (
	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/sample"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

type sampleOptions struct {
	window, modulus, criterion string
	prime                      uint64
	winnow                     int
	raw                        bool
	set                        *pflag.FlagSet
}

func (o *sampleOptions) flags(fs *pflag.FlagSet) {
	o.set = fs
	fs.StringVarP(&o.window, "window", "s", "50", "sample: hash windows of `N` bytes, cN characters or wN words")
	fs.Uint64VarP(&o.prime, "prime", "p", sample.Default.Prime, "sample: polynomials in the prime `P`")
	fs.StringVar(&o.modulus, "modulus", "2^64", "sample: hash into `M` buckets")
	fs.StringVarP(&o.criterion, "criterion", "c", "8", "sample: keep hashes of `BITS|VALUE/MASK`")
	fs.IntVar(&o.winnow, "winnow", 0, "sample: keep the least of every `W` hashes instead")
	fs.BoolVar(&o.raw, "raw", false, "sample: neither mix hashes nor leave out padding")
}

func (o *sampleOptions) params() (p sample.Params, err error) {
	if o.set.Changed("winnow") && o.set.Changed("criterion") {
		return p, tool.UsageError("--winnow and --criterion exclude each other")
	}
	p = sample.Params{Prime: o.prime, Winnow: o.winnow, Raw: o.raw}
	if p.Unit, p.Window, err = sample.ParseWindow(o.window); err == nil {
		p.Modulus, err = sample.ParseModulus(o.modulus)
	}
	if err == nil {
		p.Criterion, err = sample.ParseCriterion(o.criterion)
	}
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		err = tool.UsageError("%v", err)
	}
	return p, err
}

// newSample signs by sampled fingerprints: of words as --normalize makes
// them, of bytes and characters as they are, unless it is given.
func newSample(o *options) (*method, error) {
	p, err := o.sample.params()
	if err != nil {
		return nil, err
	}
	how := o.text.Normalize
	if p.Unit != sample.Words && !o.normalize {
		how = text.None
	}
	return &method{p.String() + "/" + how.String(), func() signer { return sampleSigner(p, how) }}, nil
}

func sampleSigner(p sample.Params, how text.Normalization) signer {
	sampler, _ := sample.New(p) // p was checked
	shingler := text.NewShingler(text.Options{Shingle: text.Shingling{Unit: text.Words, N: 1}, Normalize: how})
	var set, words []uint64
	var work []byte
	return func(dst []byte, rec *record.Record) []byte {
		if p.Unit == sample.Words {
			words = shingler.Append(words[:0], rec.Text)
			set = sampler.AppendValues(set[:0], words)
			return p.AppendEncoded(dst, set, sample.DigestValues(words))
		}
		body := rec.Text
		if how != text.None {
			work = shingler.Normalized(work[:0], rec.Text)
			body = work
		}
		set = sampler.Append(set[:0], body)
		return p.AppendEncoded(dst, set, sample.Digest(body))
	}
}
