package front

import (
	"github.com/spf13/pflag"

	"doppel/pkg/lsh"
	"doppel/pkg/stages"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// fuzzy removes near-duplicates from a dataset.
func fuzzy() *tool.Command {
	var f fuzzyFlags
	c := &tool.Old{
		Name:    "doppel fuzzy",
		Summary: "remove near-duplicates from a dataset",
		Usage:   "[FILE...]",
		Shared:  tool.Records | tool.Jobs | tool.KeepGoing | tool.Watch,
		Mem:     512 << 20,
		Flagger: f.register,
	}
	c.Runner = func(e *tool.Env, args []string) error { return f.job.run(e, f.fs, args, f.stages) }
	return tool.Adapt(c)
}

// fuzzyFlags are the flags; their values are the stages' to judge, so only
// those that were given are passed on.
type fuzzyFlags struct {
	fs     *pflag.FlagSet
	job    job
	lsh    lsh.Options
	text   text.Options
	slots  int
	seed   uint64
	policy string
	rank   string
}

func (f *fuzzyFlags) register(fs *pflag.FlagSet) {
	f.chain(fs)
	fs.StringVar(&f.job.removed, "removed", "", "write what was removed, and why, to `FILE` as JSON lines")
	f.job.register(fs)
}

// chain registers the flags that change the decisions.
func (f *fuzzyFlags) chain(fs *pflag.FlagSet) {
	f.fs = fs
	stages.BandFlags(fs, &f.lsh)
	fs.Lookup("threshold").Usage = "remove records of similarity `T` or more"
	stages.TextFlags(fs, &f.text)
	fs.IntVar(&f.slots, "slots", 128, "sketches have `N` slots")
	fs.Uint64Var(&f.seed, "seed", 1, "seed `S` of the hashes")
	fs.StringVar(&f.policy, "policy", "greedy", "decide by `POLICY`: greedy or components")
	fs.StringVar(&f.rank, "rank", "first", "keep the best copy by `RANK`: first, last, longest, or FIELD[:desc]")
}

// stages returns the chain that decides and the stage that applies it.
func (f *fuzzyFlags) stages(data []string) (oldChain, oldStage) {
	pass := func(names ...string) []string { return given(f.fs, names...) }
	records := []string{"field", "id", "lines", "with-filename"}
	t := "--threshold=" + f.fs.Lookup("threshold").Value.String()
	var files []string
	for _, d := range data {
		files = append(files, "--records="+d)
	}
	sign := stage("recsign", pass(append(records, "shingle", "normalize", "slots", "seed", "jobs", "keep-going")...), data)
	pairs := stage("lshpairs", []string{t}, pass("recall", "bands", "rows", "mem", "jobs"))
	verify := stage("jaccard", []string{t}, pass(append(records, "shingle", "normalize", "mem", "jobs", "keep-going")...), files)
	group := stage("dupgroup", []string{"--cut=" + f.fs.Lookup("threshold").Value.String()}, pass("policy", "rank", "mem", "jobs"))
	if f.ranksByRecords() {
		group = stage("dupgroup", group[1:], pass("id", "lines", "with-filename", "keep-going"), files)
	}
	apply := stage("keepdrop", pass(append(records, "removed", "jobs", "keep-going", "output")...))
	return oldChain{sign, pairs, verify, group}, apply
}

// ranksByRecords reports whether dupgroup must look at the records: for a
// field, or because ids do not tell the order of the input.
func (f *fuzzyFlags) ranksByRecords() bool {
	switch f.rank {
	case "first", "last":
		return f.fs.Changed("id")
	case "longest":
		return false
	}
	return true
}
