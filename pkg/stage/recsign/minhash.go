package recsign

import (
	"github.com/spf13/pflag"

	"doppel/pkg/minhash"
	"doppel/pkg/record"
	"doppel/pkg/signature"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

type minhashOptions struct {
	slots, bits int
	seed        uint64
}

func (o *minhashOptions) flags(fs *pflag.FlagSet) {
	fs.IntVar(&o.slots, "slots", 128, "minhash: `N` slots a sketch")
	fs.IntVar(&o.bits, "slot-bits", 16, "minhash: `N` bits a slot: 8, 16 or 32")
	fs.Uint64Var(&o.seed, "seed", 1, "minhash: seed `S` of the hashes")
}

func newMinhash(o *options) (*method, error) {
	s := minhash.Scheme{Text: o.text, Slots: o.minhash.slots, Bits: o.minhash.bits, Seed: o.minhash.seed}
	if err := s.Check(); err != nil {
		return nil, tool.UsageError("%v", err)
	}
	return &method{s.String(), func() signer { return minhashSigner(s) }}, nil
}

func minhashSigner(s minhash.Scheme) signer {
	shingler, sketcher := text.NewShingler(s.Text), minhash.New(s.Slots, s.Seed)
	sketch, codec := minhash.Sketch{Slots: make([]uint32, s.Slots)}, minhash.Codec{K: s.Slots, B: s.Bits}
	var shingles []uint64
	return func(dst []byte, rec *record.Record) []byte {
		shingles = shingler.Append(shingles[:0], rec.Text)
		if !sketcher.Sketch(&sketch, shingles) {
			return append(dst, signature.Empty...)
		}
		return codec.Append(dst, &sketch)
	}
}
