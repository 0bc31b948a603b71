// Package recsign signs records. A signature is a short line by which a record can be compared with
// other records.
//
// See man/recsign.1.
package recsign

import (
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/digest"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/method"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say how records are signed. Settings that do not belong to Method must have their default
// values.
type Options struct {
	flags.Common
	Method string // name of a method in method.All
	method.Settings
	Key     string         // minhash, exact: file with the 32-byte key of HighwayHash; "" for no key
	Verbose bool           // simhash: print the bits to standard error
	Split   text.Splitting // kind of the parts to sign instead of whole texts
	Least   int            // with Split: minimum length of the parts to sign, in bytes
	Files   bool           // each text is a file, whose id is its name
	Without string         // file of decisions that name records by ordinals; dropped records are not signed
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{
		Common:   flags.OfText(),
		Method:   "minhash",
		Settings: method.DefaultSettings(),
	}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("recsign", "sign records, so that near and exact duplicates can be found", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVarP(&o.Method, "method", "m", o.Method, "sign by `METHOD`, such as simhash; one of: "+msg.Or(method.Names()))
	fs.StringVar(&o.Shingle, "shingle", o.Shingle, "make shingles: `wN|cN` (default: w3, for simhash c2); wN has N words, cN has N characters")
	fs.StringVar(&o.Normalize, "normalize", o.Normalize, "normalise texts by `HOW` (default: balanced for words); one of: none, conservative, balanced or aggressive; "+text.Explained+"; the default for characters is none")
	fs.IntVar(&o.Slots, "slots", o.Slots, "minhash: make sketches of `N` slots")
	fs.IntVar(&o.SlotBits, "slot-bits", o.SlotBits, "minhash: keep `N` bits per slot: 8, 16 or 32")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "minhash: derive the hash functions from the seed `S`")
	fs.IntVarP(&o.Bits, "bits", "b", o.Bits, "simhash: sign with `N` bits: 32, 64 (default) or 128")
	fs.StringVar(&o.Hash, "hash", o.Hash, "simhash: hash features with `NAME`: city or xxh3")
	fs.StringVar(&o.Form, "unicode", o.Form, "simhash: first convert texts to `FORM`: NFC, NFD, NFKC or NFKD")
	fs.BoolVar(&o.Zero, "zero", o.Zero, "simhash: sign a text without features as 0")
	fs.BoolVarP(&o.Verbose, "verbose", "v", o.Verbose, "simhash: print the bits to stderr")
	fs.BoolVar(&o.Whole, "whole", o.Whole, "exact: sign the whole record, not its text")
	fs.StringVar(&o.Key, "key", o.Key, "minhash, exact: hash by HighwayHash with the 32-byte key in `FILE`")
	fs.StringVarP(&o.Window, "window", "s", o.Window, "sample: hash windows of `N` bytes, cN characters or wN words")
	fs.Uint64VarP(&o.Prime, "prime", "p", o.Prime, "sample: use the prime `P` as the base of the polynomial hash")
	fs.StringVar(&o.Modulus, "modulus", o.Modulus, "sample: hash into `M` buckets")
	fs.StringVarP(&o.Criterion, "criterion", "c", o.Criterion, "sample: keep hashes whose lowest BITS bits are 0, or whose bits in MASK equal VALUE: `BITS|VALUE/MASK,...` (default 8)")
	fs.IntVar(&o.Winnow, "winnow", o.Winnow, "sample: keep the least of every `W` hashes (default: those that match --criterion)")
	fs.BoolVar(&o.Raw, "raw", o.Raw, "sample: do not mix hashes, and do not skip padding")
	fs.StringVar(&o.Length, "length", o.Length, "passage: sign passages of at least `N` bytes; wN means at least N words")
	fs.Var(&o.Split, "split", "sign `PARTS` of texts: lines, paragraphs, sentences or wN; wN means N words")
	fs.IntVar(&o.Least, "least", o.Least, "with --split: skip parts of fewer than `N` bytes (default: none)")
	fs.BoolVar(&o.Files, "files", o.Files, "sign the files named on standard input or as operands")
	option.ValueFlags(fs, &o.Records)
	fs.StringVar(&o.Without, "without", o.Without, "do not sign records that the decisions in `LIST` drop; the ids in LIST are ordinals, even with --id or -H")
	o.Common.Flags(fs, flags.Records|flags.Null|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "shingle", "normalize", "whole", "split", "least")
	flagset.Assign(fs, flagset.Signatures, "method", "slots", "slot-bits", "seed", "bits", "hash", "unicode", "zero", "key", "window", "prime", "modulus", "criterion", "winnow", "raw", "length")
	flagset.Assign(fs, flagset.Input, "files", "without")
	flagset.Assign(fs, flagset.Output, "verbose")
	flagset.AtLeast(fs, 1, "least", "winnow")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"method", "shingle", "normalize", "slots", "bits", "length", "split", "field", "id", "files", "output", "jobs"}
}

// Args returns the command-line arguments that set these options.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Run signs the records in the operands.
func (o *Options) Run(e *tool.Env, operands []string) error {
	scheme, rd, err := o.openRun(e, operands)
	if err != nil {
		return err
	}
	if err := lineio.Header(e, line.Signature{}); err != nil {
		return err
	}
	if o.Verbose {
		e.Jobs = 1 // so that the bits are printed in input order
	}
	format := line.Format{JSON: e.JSON}
	return tool.HintNames(tool.MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) {
		s, text := o.newSigner(e, scheme), []byte(nil)
		s.take = func(one line.Signature) error {
			text = one.Append(text, format)
			return nil
		}
		return func(dst []byte, rec *record.Record) ([]byte, error) {
			text = dst
			err := s.signRecord(rec)
			return text, err
		}
	}))
}

// openRun returns the scheme of the signatures and a reader of the records to sign.
func (o *Options) openRun(e *tool.Env, operands []string) (method.Scheme, *record.Reader, error) {
	key, err := digest.ReadKey(o.Key)
	if err != nil {
		return nil, nil, err
	}
	scheme, err := o.scheme(key)
	if err != nil {
		return nil, nil, err
	}
	if o.Without != "" {
		dropped, err := readDropped(e, o.Without)
		if err != nil {
			return nil, nil, err
		}
		e.Records.Skip = dropped.Has
	}
	var in record.Input
	if e.Records.Names = o.Files; o.Files && !tool.ListOnStdin(operands) {
		in = e.FilesInput(operands)
	} else {
		in = e.Input(operands)
	}
	if o.Files { // each record is a file name, which ends with NUL if -0 is given
		e.Records.Null, e.Records.CheckFile = e.Null, e.Written().CheckFile
		e.Records.Decomposed = flags.Decomposing(o.Normalize, o.Form)
		if tool.ListOnStdin(operands) {
			if err := e.CheckList(); err != nil {
				return nil, nil, err
			}
		}
	}
	if o.Whole {
		e.Records.Fields = nil
	}
	rd, err := record.NewReader(in, e.Records)
	// Skip the check with --without, because dropped records may share ids with kept ones.
	if err == nil && o.Without == "" {
		e.OneID(operands)
	}
	return scheme, rd, err
}

// readDropped returns a bitmap of the ordinals that a list of decisions drops.
func readDropped(e *tool.Env, name string) (dropped bitset.Set, err error) {
	err = lineio.Each(e, []string{name}, func(text []byte) error {
		var d line.Decision
		if err := d.Parse(text); err != nil || d.Verdict != line.Drop {
			return err
		}
		n, bare := ids.Ordinal(d.ID)
		if !bare {
			return fmt.Errorf("id %q of the list is not an ordinal", d.ID)
		}
		dropped.Add(n)
		return nil
	})
	return dropped, err
}
