package front

import (
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/tool"
)

// shared finds which files of a tree share passages, and the passages.
func shared() *tool.Command {
	var s sharedFlags
	c := &tool.Old{
		Name:    "doppel shared",
		Summary: "find which files share passages, and where",
		Usage:   "[DIR...]",
		Shared:  tool.JSON | tool.Jobs | tool.KeepGoing | tool.Watch,
		Flagger: s.register,
	}
	c.Runner = s.run
	return tool.Adapt(c)
}

// sharedFlags are the flags; most are the stages' to judge.
type sharedFlags struct {
	fs     *pflag.FlagSet
	scores bool
	print  bool
}

func (s *sharedFlags) register(fs *pflag.FlagSet) {
	s.fs = fs
	fs.Float64P("threshold", "t", 0.25, "of pairs of which one has the share `T` of the other")
	fs.StringP("window", "s", "50", "find passages of `N` bytes or more")
	fs.StringP("criterion", "c", "8", "keep fingerprints of `BITS|VALUE/MASK`")
	fs.Int("winnow", 0, "keep the least of every `W` fingerprints instead")
	fs.Int("df", 0, "pass over fingerprints that more than `N` files have")
	fs.String("common", "", "list those fingerprints in `FILE`")
	fs.BoolVar(&s.scores, "scores", false, "write how much each pair shares, not what")
	fs.BoolVar(&s.print, "print", false, "print the chain as shell text, and run nothing")
	fs.StringP("output", "o", "", "write to `FILE`, whole or not at all")
}

func (s *sharedFlags) run(e *tool.Env, dirs []string) error {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	if s.print {
		return s.printChain(e, dirs)
	}
	names, err := regularFiles(e, dirs)
	if err != nil {
		return err
	}
	r := &running{e: e, job: &job{}}
	signatures, name, err := r.scratch()
	if err != nil {
		return err
	}
	if err := r.feed(oldChain{s.sign()}, names, signatures); err != nil {
		return r.ended(err)
	}
	if err := r.launch(s.score(name), e.Stdout); err != nil {
		return r.ended(err)
	}
	if r.tolerated {
		return tool.Exit(tool.ExitTrouble)
	}
	return nil
}

// sign is the stage that signs the files whose names it reads.
func (s *sharedFlags) sign() oldStage {
	return stage("recsign", []string{"--method=sample", "--files", "--null"}, given(s.fs, "window", "criterion", "winnow", "jobs", "keep-going"))
}

// score is the chain from the signatures to the passages.
func (s *sharedFlags) score(signatures string) oldChain {
	pass := func(names ...string) []string { return given(s.fs, names...) }
	pairs := stage("lshpairs", pass("df", "common", "jobs"), []string{signatures})
	score := stage("jaccard", []string{"--sigs=" + signatures, "--containment", "--threshold=" + s.fs.Lookup("threshold").Value.String()}, pass("jobs"))
	last := pass("json", "output")
	if s.scores {
		return oldChain{pairs, append(score, last...)}
	}
	size := "--threshold=" + strings.TrimLeft(s.fs.Lookup("window").Value.String(), "bcw")
	return oldChain{pairs, score, stage("matchsub", []string{"--bytes", size}, pass("jobs", "keep-going"), last)}
}

// printChain writes the shell text that does the same.
func (s *sharedFlags) printChain(e *tool.Env, dirs []string) error {
	const mark = "\x00"
	find := stage("find", dirs, []string{"-type", "f", "-print0"})
	sign, score := s.sign(), s.score(mark)
	for _, stage := range append(score, sign) {
		stage[0] = shellPath(stage[0])
	}
	text := "t=$(mktemp) && trap 'rm -f \"$t\"' EXIT &&\n" + oldChain{find, sign}.String() + " > \"$t\" &&\n" + score.String() + "\n"
	text = strings.ReplaceAll(text, "'"+mark+"'", `"$t"`)
	text = strings.ReplaceAll(text, "'--sigs="+mark+"'", `--sigs="$t"`)
	_, err := e.Out.WriteString(text)
	return err
}

// feed launches a chain that reads the given text.
func (r *running) feed(c oldChain, stdin string, stdout io.Writer) error {
	runner := r.runner(stdout)
	runner.Stdin = strings.NewReader(stdin)
	res, err := runner.Run(c.run())
	r.tolerated = r.tolerated || res.Tolerated
	return err
}

// regularFiles returns the names of the files below the directories, each
// followed by a NUL. What cannot be read ends the run, unless -k is given.
func regularFiles(e *tool.Env, dirs []string) (string, error) {
	var names strings.Builder
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				names.WriteString(name + "\x00")
			}
			return e.Skip(err)
		})
		if err != nil {
			return "", err
		}
	}
	return names.String(), nil
}
