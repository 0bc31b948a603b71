package front

import (
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/tool"
)

// textFiles finds pairs of similar text files, as dedup.py does.
func textFiles() *tool.Command {
	var t textFlags
	c := &tool.Old{
		Name:    "doppel text",
		Summary: "find pairs of similar text files",
		Usage:   "[LIST...]",
		Shared:  tool.Null | tool.Jobs | tool.KeepGoing,
		Flagger: t.register,
	}
	c.Runner = t.run
	return tool.Adapt(c)
}

type textFlags struct {
	fs        *pflag.FlagSet
	grams     int
	bits      int
	threshold float64
	verbose   bool
	print     bool
}

func (t *textFlags) register(fs *pflag.FlagSet) {
	t.fs = fs
	fs.IntVarP(&t.grams, "n-gram-size", "n", 2, "sign runs of `N` characters")
	fs.IntVarP(&t.bits, "bits", "b", 32, "sign with `N` bits: 32, 64 or 128")
	fs.Float64VarP(&t.threshold, "threshold", "r", 0.25, "pair files of which less than the part `R` of the bits differ")
	fs.BoolVarP(&t.verbose, "verbose", "v", false, "print texts, bits and counts of pairs to stderr")
	fs.BoolVar(&t.print, "print", false, "print the chain as shell text, and run nothing")
}

func (t *textFlags) run(e *tool.Env, args []string) error {
	stages := t.stages(args)
	if t.print {
		for _, s := range stages {
			s[0] = shellPath(s[0])
		}
		_, err := e.Out.WriteString(stages.String() + "\n")
		return err
	}
	r := &running{e: e, job: &job{once: true}}
	err := r.launch(stages, e.Stdout)
	if err == nil && r.tolerated {
		err = tool.Exit(tool.ExitTrouble)
	}
	return r.ended(err)
}

// stages returns the chain: the lists of names, or standard input, signed,
// paired, and cut to the names.
func (t *textFlags) stages(lists []string) oldChain {
	sign := stage("recsign", []string{"--files", "--method=simhash", "--zero",
		fmt.Sprintf("--shingle=c%d", t.grams), fmt.Sprintf("--bits=%d", t.bits)}, given(t.fs, "null", "jobs", "keep-going"))
	pair := stage("simpairs", []string{"--files", "--threshold=" + t.fs.Lookup("threshold").Value.String()},
		given(t.fs, "verbose", "jobs", "keep-going"))
	all := oldChain{sign, pair, {"cut", "-f1,2"}}
	if len(lists) > 0 && !(len(lists) == 1 && lists[0] == "-") {
		all = append(oldChain{stage("cat", []string{"--"}, lists)}, all...)
	}
	return all
}
