package pipeline

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/simpairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Text finds pairs of similar text files, as dedup.py does.
type Text struct {
	flags.Common
	Grams int // characters in a run that is signed
	Sign  recsign.Options
	Pair  simpairs.Options
	Alike bool // the operands are two texts, and the exit status tells whether they are alike
	Print form // how the chain is printed, and nothing runs; "": it runs
}

// DefaultText signs bigrams of characters with 32 bits.
func DefaultText() Text {
	t := Text{Grams: 2, Sign: recsign.Default(), Pair: simpairs.Default()}
	t.Sign.Method, t.Sign.Files, t.Sign.Zero, t.Sign.Bits = "simhash", true, true, 32
	t.Pair.Files, t.Pair.Threshold = true, 0.25
	return t
}

// Flags registers the flags.
func (t *Text) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&t.Grams, "n-gram-size", "n", t.Grams, "sign runs of `N` characters")
	fs.IntVarP(&t.Sign.Bits, "bits", "b", t.Sign.Bits, "make signatures of bits, `N`: 32, 64 or 128")
	fs.Float64VarP(&t.Pair.Threshold, "threshold", "r", t.Pair.Threshold, "pair files of which less than the part `R` of the bits differ")
	fs.BoolVarP(&t.Alike, "alike", "e", t.Alike, "tell by the exit status whether the two operands are alike, and write nothing")
	flagset.Offer(fs, &t.Pair, "verbose")
	t.Print.flag(fs)
	flagset.Offer(fs, &t.Sign, "null", "jobs", "keep-going")
	flagset.Offer(fs, &t.Pair, "jobs", "keep-going", "header")
	flagset.Offer(fs, flags.Part{Common: &t.Common, Shared: flags.KeepGoing})
}

// Check refuses what the stages refuse, by the names of the flags here.
func (t *Text) Check() error {
	if t.Grams < 1 {
		return tool.UsageError("--n-gram-size %d: want 1 or more", t.Grams)
	}
	if t.Alike && t.Pair.Header {
		return tool.UsageError("--header: with --alike nothing is written")
	}
	return cmp.Or(t.Sign.Check(), t.Pair.Check())
}

// Run runs it on lists of names, or on those of standard input.
func (t *Text) Run(e *tool.Env, lists []string) error {
	if t.Alike {
		return t.ask(e, lists)
	}
	p := Plan{{stdin: true, stages: t.stages(lists)}}
	if t.Print != "" {
		return t.Print.print(e, p)
	}
	return newRun(e, false).plan(p, e.Screen())
}

// ask tells by the exit status whether two texts are a pair.
func (t *Text) ask(e *tool.Env, texts []string) error {
	if len(texts) != 2 {
		return tool.UsageError("-e: want two texts, not %d", len(texts))
	}
	all := t.signed()
	all[0] = all[0].with(plain("--"), plain(texts...))
	if t.Print != "" {
		return t.Print.print(e, Plan{{stages: append(all, stage("grep", plain("-q", ".")))}})
	}
	found := new(bytes.Buffer)
	if err := newRun(e, false).plan(Plan{{stages: all}}, found); err != nil {
		return err
	}
	if found.Len() == 0 {
		return tool.Exit(tool.ExitNothing)
	}
	return nil
}

// stages returns the chain: the names, signed, paired, and cut to names.
func (t *Text) stages(lists []string) []Stage {
	all := append(t.signed(), stage("cut", plain("-f1,2")))
	if len(lists) > 0 && !(len(lists) == 1 && lists[0] == stdin) {
		all = append([]Stage{stage("cat", plain("--"), plain(lists...))}, all...)
	}
	return all
}

// signed returns the stages that sign and pair.
func (t *Text) signed() []Stage {
	sign, pair := t.Sign, simpairs.Default()
	sign.Shingle = fmt.Sprintf("c%d", t.Grams)
	return []Stage{
		stage("recsign", plain(sign.Args()...)),
		stage("simpairs", plain(flagset.Args(&t.Pair, &pair, "threshold")...)),
	}
}
