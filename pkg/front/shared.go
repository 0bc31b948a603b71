package front

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	fingerprint "doppel/pkg/sample"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/matchsub"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Shared finds which files of a tree share passages, and where.
type Shared struct {
	flags.Common
	Sign   recsign.Options
	Pair   lshpairs.Options
	Score  jaccard.Options
	Match  matchsub.Options
	Scores bool      // how much each pair shares is written, not what
	Print  plan.Form // how the chain is printed, and nothing runs; "": it runs
}

// DefaultShared finds all passages of 100 bytes. In 4 MB of source, 613 files, that
// are 717 of 1161 pairs; of 50 bytes it would be 4695, most of them phrases of the
// language.
func DefaultShared() Shared {
	s := Shared{Sign: recsign.Default(), Pair: lshpairs.Default(), Score: jaccard.Default(), Match: matchsub.Default()}
	s.Sign.Method, s.Sign.Files, s.Sign.Null, s.Sign.Window = "sample", true, true, "100"
	s.Pair.Pairing.All = true
	s.Score.Containment, s.Score.Threshold = true, 0
	s.Match.Bytes, s.Match.AllMatches, s.Match.Numbers, s.Match.Total = true, true, true, 1000
	return s
}

// Flags registers the flags.
func (s *Shared) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &s.Score, "threshold")
	fs.Lookup("threshold").Usage = "take pairs of which one has the share `T` of the other"
	flagset.Offer(fs, &s.Sign, "window", "criterion", "winnow")
	fs.Lookup("window").Usage = "find passages of `N` bytes"
	flagset.Offer(fs, &s.Pair, "df", "common", "all-pairs")
	flagset.Offer(fs, &s.Match, "base", "all-matches", "most", "total", "line-numbers", "summary")
	fs.BoolVar(&s.Scores, "scores", s.Scores, "write how much each pair shares by estimate, not what")
	s.Print.Flag(fs)
	flagset.Offer(fs, &s.Match, "json", "header", "output", "jobs", "keep-going", "progress", "no-progress")
	flagset.Offer(fs, &s.Score, "json", "header", "output", "jobs")
	flagset.Offer(fs, &s.Sign, "jobs", "keep-going")
	flagset.Offer(fs, &s.Pair, "jobs")
	flagset.Offer(fs, flags.Part{Common: &s.Common, Shared: flags.KeepGoing | flags.Watch | flags.Null | flags.Sync})
}

// Check refuses what the stages refuse.
func (s *Shared) Check() error {
	if unit, _, err := fingerprint.ParseWindow(s.Sign.Window); err == nil && unit != fingerprint.Bytes {
		return tool.UsageError("--window %s: want a number of bytes", s.Sign.Window)
	}
	score, sign, match := s.Score, s.sign(), s.match()
	score.Sigs = []string{plan.Stdin} // which they are is known when it runs
	return cmp.Or(s.Sign.Check(), sign.Check(), score.Check(), match.Check())
}

// sign returns how files are signed: unless the user says which fingerprints are kept,
// so that no passage is missed. The least of W fingerprints of windows of N-W+1 meets
// every passage of N; W is half of N, since short windows meet by accident and long
// ones keep more fingerprints.
func (s *Shared) sign() recsign.Options {
	sign := s.Sign
	_, n, err := fingerprint.ParseWindow(sign.Window)
	if err == nil && sign.Winnow == 0 && sign.Criterion == "" {
		sign.Winnow = max(1, n/2)
		sign.Window = strconv.Itoa(n - sign.Winnow + 1)
	}
	return sign
}

// match returns what is written of pairs.
func (s *Shared) match() matchsub.Options {
	match := s.Match
	match.OutputName = ""
	match.Numbers = match.Numbers && !match.Summary
	if _, n, err := fingerprint.ParseWindow(s.Sign.Window); err == nil {
		match.Threshold = n
	}
	return match
}

// Idle returns the flags that do nothing.
func (s *Shared) Idle() flags.Idle {
	i := s.Match.Common.Idle()
	s.Pair.Pairing.Idle(&i)
	i.When(s.Scores, "with --scores", "base", "summary", "all-matches", "most", "total", "line-numbers")
	i.When(s.Match.Summary, "with --summary", "line-numbers", "most")
	return i
}

// Run runs it on directories, by default the one at hand, or on the files that
// standard input names.
func (s *Shared) Run(e *tool.Env, dirs []string) error {
	named := len(dirs) == 1 && dirs[0] == plan.Stdin
	switch {
	case s.Null && !named:
		return tool.UsageError("-0 is of the names of standard input, which the operand - asks for")
	case len(dirs) == 0:
		dirs = []string{"."}
	}
	b, out := &plan.Builder{Env: e, Print: s.Print}, &byteCounter{w: e.Out}
	name := s.plan(b, dirs)
	if err := b.Do(out); err != nil || s.Print != plan.None {
		return err
	}
	if info, err := os.Stat(name); err == nil && name != "" {
		out.n = info.Size()
	}
	if out.n == 0 {
		e.Note("no two files were found that share a passage of %s bytes", s.Sign.Window)
	}
	return nil
}

// A byteCounter counts what goes through it.
type byteCounter struct {
	w io.Writer
	n int64
}

func (c *byteCounter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// plan adds the steps, and returns where their output is, if it has a name. The last stage
// begins when all before it have ended well.
func (s *Shared) plan(b *plan.Builder, dirs []string) string {
	signatures, sign := b.Scratch(""), s.sign()
	first := plan.Step{Into: signatures, Stages: []plan.Stage{plan.Tool("recsign", &sign)}}
	if first.Stdin = len(dirs) == 1 && dirs[0] == plan.Stdin; first.Stdin {
		sign.Null = s.Null
	} else {
		command := append(append([]string{"find"}, places(dirs)...), "-type", "f", "-print0")
		first.Source = &plan.Source{Command: command, Open: func() (io.ReadCloser, error) { return regularFiles(b.Env, dirs) }}
	}
	held, pair, score, match := b.Scratch(""), s.Pair, s.Score, s.match()
	pair.Pairing.List = b.Output(pair.Pairing.List, false)
	score.Sigs, score.OutputName = []string{signatures.Path()}, ""
	pairs := plan.Step{Stages: []plan.Stage{plan.Tool("lshpairs", &pair).On(signatures.Path())}, Into: held}
	if s.Scores {
		score.OutputName = b.Output(s.Score.OutputName, true)
		b.Add(first, pairs, plan.Step{Stages: []plan.Stage{plan.Tool("jaccard", &score).On(held.Path())}})
		return score.OutputName
	}
	score.JSON, score.Header = false, false
	pairs.Stages = append(pairs.Stages, plan.Tool("jaccard", &score))
	match.OutputName = b.Output(s.Match.OutputName, true)
	b.Add(first, pairs, plan.Step{Stages: []plan.Stage{plan.Tool("matchsub", &match).On(held.Path())}})
	return match.OutputName
}

// places returns directories as find(1) takes them for such: what begins with - is an
// option or an action to it, and !, ( and the like are parts of an expression.
func places(dirs []string) (all []string) {
	for _, dir := range dirs {
		if strings.ContainsAny(dir[:min(1, len(dir))], "-!(),") {
			dir = "./" + dir
		}
		all = append(all, dir)
	}
	return all
}

// regularFiles returns the names of the files below the directories, each
// followed by a NUL. What cannot be read ends the run, unless -k is given.
func regularFiles(e *tool.Env, dirs []string) (io.ReadCloser, error) {
	var names strings.Builder
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				names.WriteString(name + "\x00")
			}
			return e.Skip(err)
		})
		if err != nil {
			return nil, err
		}
	}
	return io.NopCloser(strings.NewReader(names.String())), nil
}
