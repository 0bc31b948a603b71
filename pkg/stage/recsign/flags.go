package recsign

import "github.com/spf13/pflag"

func (o *Options) minhashFlags(fs *pflag.FlagSet) {
	fs.IntVar(&o.Slots, "slots", o.Slots, "minhash: make sketches of `N` slots")
	fs.IntVar(&o.SlotBits, "slot-bits", o.SlotBits, "minhash: keep bits of a slot, `N`: 8, 16 or 32")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "minhash: choose the hashes by `S`")
}

func (o *Options) simhashFlags(fs *pflag.FlagSet) {
	fs.IntVarP(&o.Bits, "bits", "b", o.Bits, "simhash: make signatures of bits, `N`: 32, 64 or 128")
	fs.StringVar(&o.Hash, "hash", o.Hash, "simhash: hash features by `NAME`: city or xxh3")
	fs.StringVar(&o.Form, "unicode", o.Form, "simhash: first bring texts to `FORM`: NFC, NFD, NFKC or NFKD")
	fs.BoolVar(&o.Zero, "zero", o.Zero, "simhash: sign a text too short for a feature as 0")
	fs.BoolVarP(&o.Verbose, "verbose", "v", o.Verbose, "simhash: print the bits to stderr")
}

func (o *Options) exactFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Whole, "whole", o.Whole, "exact: sign the whole record, not its text")
	fs.StringVar(&o.Key, "key", o.Key, "minhash, exact: hash by HighwayHash with the 32-byte key in `FILE`")
}

func (o *Options) passageFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Length, "length", o.Length, "passage: those of `N` bytes, or of wN words, or more")
}

func (o *Options) sampleFlags(fs *pflag.FlagSet) {
	fs.StringVarP(&o.Window, "window", "s", o.Window, "sample: hash windows of `N` bytes, cN characters or wN words")
	fs.Uint64VarP(&o.Prime, "prime", "p", o.Prime, "sample: polynomials in the prime `P`")
	fs.StringVar(&o.Modulus, "modulus", o.Modulus, "sample: hash into `M` buckets")
	fs.StringVarP(&o.Criterion, "criterion", "c", o.Criterion, "sample: keep hashes whose lowest BITS are 0, or by value: `BITS|VALUE/MASK,...` (default 8)")
	fs.IntVar(&o.Winnow, "winnow", o.Winnow, "sample: keep the least of every `W` hashes instead")
	fs.BoolVar(&o.Raw, "raw", o.Raw, "sample: neither mix hashes nor leave out padding")
}
