package pipeline

import (
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/sample"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/matchsub"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

// Shared finds which files of a tree share passages, and where.
type Shared struct {
	tool.Common
	Sign   recsign.Options
	Pair   lshpairs.Options
	Score  jaccard.Options
	Match  matchsub.Options
	Scores bool // how much each pair shares is written, not what
	Print  form // how the chain is printed, and nothing runs; "": it runs
}

// DefaultShared finds passages of 50 bytes in files of which one has a quarter
// of the other.
func DefaultShared() Shared {
	s := Shared{Sign: recsign.Default(), Pair: lshpairs.Default(), Score: jaccard.Default(), Match: matchsub.Default()}
	s.Sign.Method, s.Sign.Files, s.Sign.Null = "sample", true, true
	s.Score.Containment, s.Score.Threshold = true, 0.25
	s.Match.Bytes = true
	return s
}

// Flags registers the flags.
func (s *Shared) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &s.Score, "threshold")
	fs.Lookup("threshold").Usage = "take pairs of which one has the share `T` of the other"
	flagset.Offer(fs, &s.Sign, "window", "criterion", "winnow")
	flagset.Offer(fs, &s.Pair, "df", "common")
	fs.BoolVar(&s.Scores, "scores", s.Scores, "write how much each pair shares, not what")
	s.Print.flag(fs)
	flagset.Offer(fs, &s.Match, "json", "header", "output", "jobs", "keep-going", "progress", "no-progress")
	flagset.Offer(fs, &s.Score, "json", "header", "output", "jobs")
	flagset.Offer(fs, &s.Sign, "jobs", "keep-going")
	flagset.Offer(fs, &s.Pair, "jobs")
	flagset.Offer(fs, tool.Part{Common: &s.Common, Shared: tool.KeepGoing})
}

// Check refuses what the stages refuse.
func (s *Shared) Check() error {
	score := s.Score
	score.Sigs = []string{stdin} // which they are is known when it runs
	for _, o := range []tool.Options{&s.Sign, &score} {
		if err := o.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Run runs it on directories, by default the one at hand.
func (s *Shared) Run(e *tool.Env, dirs []string) error {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	p := s.plan(e, dirs)
	if s.Print != "" {
		return s.Print.print(e, p)
	}
	r := newRun(e, false)
	return r.ended(r.plan(p, e.Stdout))
}

func (s *Shared) plan(e *tool.Env, dirs []string) Plan {
	signatures := &Scratch{}
	names := &source{
		stage("find", plain(dirs...), plain("-type", "f", "-print0")),
		func() (io.ReadCloser, error) { return regularFiles(e, dirs) },
	}
	first := Step{source: names, stages: []Stage{stage("recsign", plain(s.Sign.Args()...))}, into: signatures}
	return append(Plan{first}, s.compare(signatures)...)
}

// compare is the steps from the signatures to the passages, or to the scores. The
// last stage begins when all before it have ended well.
func (s *Shared) compare(signatures *Scratch) Plan {
	pair, score, match := s.Pair, s.Score, s.Match
	pair.Pairing.List, score.OutputName, match.OutputName = "", "", ""
	pairs := stage("lshpairs", plain(pair.Args()...), into("common", s.Pair.Pairing.List)).on([]Word{{scratch: signatures}})
	if !s.Scores {
		score.JSON, score.Header = false, false
	}
	scored, held := stage("jaccard", from("sigs", signatures), plain(score.Args()...)), &Scratch{}
	if s.Scores {
		last := scored.with(into("output", s.Score.OutputName)).on([]Word{{scratch: held}})
		return Plan{{stages: []Stage{pairs}, into: held}, {stages: []Stage{last}}}
	}
	_, match.Threshold, _ = sample.ParseWindow(s.Sign.Window) // it was checked
	last := stage("matchsub", plain(match.Args()...), into("output", s.Match.OutputName)).on([]Word{{scratch: held}})
	return Plan{{stages: []Stage{pairs, scored}, into: held}, {stages: []Stage{last}}}
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
