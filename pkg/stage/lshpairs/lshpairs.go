// Package lshpairs pairs signatures that share a key. It does the work of lshkeys, sort and
// keypairs.
//
// See man/lshpairs.1.
package lshpairs

import (
	"cmp"
	"errors"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/lsh"
	"doppel/pkg/lsh/keyfile"
	"doppel/pkg/par"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say how keys are made from signatures, and which signatures with a common key are paired.
type Options struct {
	flags.Common
	Keys    option.Keys
	Pairing option.Pairing
	Against []string   // files of old signatures or of their sorted keys; pair only with these
	Old     option.Old // fields from which the old signatures were made
	Explain bool       // write the S-curve of the bands and read nothing
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{
		Common:  flags.Common{Mem: 160 << 20},
		Keys:    option.DefaultKeys(),
		Pairing: option.DefaultPairing(),
	}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("lshpairs", "pair similar signatures, in bounded memory", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	o.Keys.Flags(fs)
	o.Pairing.Flags(fs)
	fs.Lookup("common").Usage = "write the keys that --df ignores, or without --df the 1,000 most frequent, to `FILE`"
	fs.StringArrayVar(&o.Against, "against", o.Against, "pair only with the signatures or sorted keys in `OLD`; may be repeated")
	flagset.Offer(fs, &o.Old, "against-field")
	fs.Lookup("against-field").Usage = "read signatures in --against that were made from the field at this `PATH`; may be repeated"
	fs.BoolVar(&o.Explain, "explain", o.Explain, "print the S-curve of the bands, and read nothing; for sketches of 128 slots")
	o.Common.Flags(fs, flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Input, "against", "against-field")
	flagset.Assign(fs, flagset.Output, "explain")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"threshold", "recall", "bands", "rows", "within", "hot", "df", "against", "explain", "output", "mem", "jobs"}
}

// Check rejects invalid options.
func (o *Options) Check() error { return cmp.Or(o.Keys.Check(), o.Pairing.Check()) }

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	o.Keys.Idle(&i)
	i.When(o.Pairing.Common == 0 && len(o.Against) > 0, "with --against, without --df", "common")
	i.When(len(o.Against) == 0, "without --against", "against-field")
	i.When(o.Explain, "with --explain", "within", "hot", "all-pairs", "df", "common", "count", "against", "json", "mem")
	return i
}

// Run pairs the signatures in the operands.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if o.Explain {
		return o.Keys.Explain(e.Out, 128)
	}
	var files []*keyfile.File
	empty := 0
	for _, name := range o.Against {
		if name == "-" {
			continue
		}
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			empty++ // an index without keys, or no signatures
			continue
		}
		file, err := keyfile.Open(name)
		if err != nil {
			return err
		}
		if file != nil { // the file has keys, not signatures
			defer file.Close() // the error does not matter, because the file is only read
			files = append(files, file)
		}
	}
	if len(files) > 0 && len(files)+empty < len(o.Against) {
		return errors.New("--against: both keys and signatures: all files must be of the same kind")
	}
	if len(files) > 0 && len(o.Old.Fields) > 0 {
		return tool.UsageError("--against-field applies only to signatures, but %s has keys", files[0].Name())
	}
	if len(files) > 0 {
		return lookUp(e, o, files, operands)
	}
	begun := false
	err := o.pair(e, operands, func(s *lsh.PairSorter, names pairs.Ranks, count bool) error {
		begun = true
		return pairs.Write(e, s, names, pairs.Layout{Format: lineio.Format(e), Count: count})
	})
	if err != nil || begun {
		return err
	}
	return pairs.Layout{Count: o.Pairing.Count}.Header(e) // there were no signatures
}

// pair loads all signatures and passes their pairs to the function write, which it does not call if
// there are no signatures.
func (o *Options) pair(e *tool.Env, operands []string, write func(s *lsh.PairSorter, names pairs.Ranks, count bool) error) error {
	l := &loader{e: e, opt: o, spares: par.NewSpares[batch](e.Jobs)}
	if len(o.Against) > 0 {
		l.filter = lsh.NewFilter(min(int64(e.Mem)/8, 1<<30)) // enough for a billion keys
	}
	if err := l.readSignatures(operands, nil); err != nil || l.index == nil {
		return err
	}
	if l.filter != nil { // load old keys only if a new record has them
		l.index.Fresh()
		l.fresh = l.ids.Len()
		l.guard.Scheme = o.Old.Scheme(l.guard.Scheme)
		if err := l.readSignatures(o.Against, l.filter); err != nil {
			return err
		}
	}
	return l.writePairs(write)
}

// Takes reports whether Run accepts the values of the previous stage, which must be signatures.
func (o *Options) Takes(values any) bool {
	_, ok := values.(lineio.Signing)
	return ok && !o.Explain
}

// Produce returns a pairs.Pairing that passes the pairs to the next stage as values, not as lines.
// It returns nil if Run must write lines, because signatures are paired with old ones or --explain
// is given.
func (o *Options) Produce(e *tool.Env, operands []string) any {
	if len(o.Against) > 0 || o.Explain {
		return nil
	}
	return &pairing{o, e, operands}
}

// A pairing is a run that passes its pairs to the next stage as values, not as lines. It implements
// pairs.Pairing.
type pairing struct {
	opt      *Options
	e        *tool.Env
	operands []string
}

// Pair finds all pairs and passes them to fn.
func (p *pairing) Pair(fn func(pairs.Ranks, [][1]uint64) error) error {
	if err := p.e.Begin(p.opt, p.operands); err != nil {
		return err
	}
	return p.e.End(p.opt.pair(p.e, p.operands, func(s *lsh.PairSorter, names pairs.Ranks, _ bool) error {
		newCopy := func() func([][1]uint64) [][1]uint64 { return slices.Clone[[][1]uint64] }
		return lsh.EachRun(s, p.e.Jobs, newCopy, func(run [][1]uint64) error { return fn(names, run) })
	}))
}
