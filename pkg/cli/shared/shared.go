// Package shared implements doppel shared, which finds the passages that files share.
//
// See man/doppel-shared.1.
package shared

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/filegroup/dirgroup"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	fingerprint "doppel/pkg/fingerprint"
	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/matchsub"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel shared, which finds the passages that files share.
type Options struct {
	flags.Common
	Sign  recsign.Options
	Pair  lshpairs.Options
	Score jaccard.Options
	Match matchsub.Options
	// Exclude holds patterns; entries below operands whose name matches one are left out. Unless All
	// is set, the directories of version control systems are left out, too.
	Exclude []string
	All     bool
	Scores  bool        // for each pair, write an estimate of how much the files share, not the passages
	Print   plan.Syntax // syntax in which to print the chain; empty to run it instead
}

// Default returns options that find all passages of at least 100 bytes. In 613 source files
// of 4 MB in total, these options find 717 passages. With a minimum of 50 bytes, they would find
// 4695, most of them idioms of the programming language.
func Default() Options {
	s := Options{Sign: recsign.Default(), Pair: lshpairs.Default(), Score: jaccard.Default(), Match: matchsub.Default()}
	s.Sign.Method, s.Sign.Files, s.Sign.Null, s.Sign.Window = "sample", true, true, "100"
	s.Pair.Pairing.All = true
	s.Score.Containment, s.Score.Threshold = true, 0
	s.Match.Bytes, s.Match.AllMatches, s.Match.Numbers, s.Match.Total = true, true, true, 1000
	return s
}

func (s *Options) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &s.Score, "threshold")
	fs.Lookup("threshold").Usage = "pair files if one has `T` of the other, 0 to 1 (default 0); T is a share of the text, estimated from fingerprints; 0 pairs all files with a common fingerprint"
	flagset.Offer(fs, &s.Sign, "window", "criterion", "winnow")
	fs.Lookup("window").Usage = "find passages of `N` bytes or more"
	flagset.Offer(fs, &s.Match, "normalize")
	flagset.Offer(fs, &s.Sign, "normalize")
	flagset.Offer(fs, &s.Pair, "df", "common", "all-pairs")
	flagset.Offer(fs, &s.Match, "base", "all-matches", "most", "total", "line-numbers", "summary")
	for name, usage := range map[string]string{ // flags that only this command sets by default
		"all-pairs":    "pair all files of equal signatures with each other (default: on, off: --all-pairs=false); otherwise only with the first",
		"line-numbers": "write line numbers (default: on, off: --line-numbers=false)",
	} {
		fs.Lookup(name).Usage = usage
	}
	fs.BoolVar(&s.Scores, "scores", s.Scores, "write estimates of how much pairs share, not the passages")
	fs.StringArrayVar(&s.Exclude, "exclude", s.Exclude, "leave out files and directories whose names match `GLOB`; this applies below the operands; may be repeated")
	fs.BoolVar(&s.All, "all", s.All, "also read the directories .git, .hg and .svn")
	s.Print.Flag(fs)
	flagset.Offer(fs, &s.Match, "json", "header", "output", "jobs", "keep-going", "progress", "no-progress")
	flagset.Offer(fs, &s.Score, "json", "header", "output", "jobs")
	flagset.Offer(fs, &s.Sign, "jobs", "keep-going")
	flagset.Offer(fs, &s.Pair, "jobs")
	flagset.Offer(fs, flags.Part{Common: &s.Common, Shared: flags.KeepGoing | flags.Watch | flags.Null | flags.Sync})
	flagset.Assign(fs, flagset.Matches, "threshold", "window", "normalize", "base")
	flagset.Assign(fs, flagset.Output, "scores")
	flagset.Assign(fs, flagset.Input, "exclude", "all")
}

// Essential returns the flags that -h shows.
func (s *Options) Essential() []string {
	return []string{"threshold", "window", "normalize", "base", "exclude", "all", "scores", "summary", "line-numbers", "output", "json", "jobs"}
}

func (s *Options) Check() error {
	if unit, _, err := fingerprint.ParseWindow(s.Sign.Window); err == nil && unit != fingerprint.Bytes {
		return tool.UsageError("--window %s: want a number of bytes", s.Sign.Window)
	}
	for _, glob := range s.Exclude {
		if _, err := path.Match(glob, ""); err != nil {
			return tool.UsageError("--exclude %q: %w", glob, err)
		}
	}
	score, sign, match := s.Score, s.sign(), s.match()
	score.Sigs = []string{plan.Stdin} // a placeholder, because Check does not know the file
	return cmp.Or(s.Sign.Check(), sign.Check(), score.Check(), match.Check())
}

// sign returns the options for signing files. Unless the user sets --criterion or --winnow, every
// shared passage of N bytes must be found. To ensure this, recsign keeps the least fingerprint of
// every W consecutive windows of N-W+1 bytes, which together span N bytes. W is half of N: with
// shorter windows, more windows would match by accident, and with longer windows, recsign would
// keep more fingerprints.
func (s *Options) sign() recsign.Options {
	sign := s.Sign
	_, n, err := fingerprint.ParseWindow(sign.Window)
	if err == nil && sign.Winnow == 0 && sign.Criterion == "" {
		sign.Winnow = max(1, n/2)
		sign.Window = strconv.Itoa(n - sign.Winnow + 1)
	}
	return sign
}

// match returns the options of the last stage, which writes the passages that the files of each
// pair share.
func (s *Options) match() matchsub.Options {
	match := s.Match
	match.OutputName = ""
	match.Numbers = match.Numbers && !match.Summary
	if _, n, err := fingerprint.ParseWindow(s.Sign.Window); err == nil {
		match.Threshold = n
	}
	return match
}

func (s *Options) Idle() flags.Idle {
	i := s.Match.Common.Idle()
	s.Pair.Pairing.Idle(&i)
	i.When(s.Scores, "with --scores", "base", "summary", "all-matches", "most", "total", "line-numbers")
	i.When(s.Match.Summary, "with --summary", "line-numbers", "most")
	return i
}

// Run compares the operands and the files below them, or the files named on standard input.
func (s *Options) Run(e *tool.Env, operands []string) error {
	named := tool.ListOnStdin(operands)
	if named && (s.All || len(s.Exclude) > 0) {
		return tool.UsageError("--exclude and --all apply only to operands, not to names on standard input")
	}
	if s.Null && !named {
		return tool.UsageError("-0 applies only to names on standard input, not to operands")
	}
	b, out := &plan.Builder{Env: e, Print: s.Print}, &plan.Counter{W: e.Out}
	signatures, sign := b.Scratch(""), s.sign()
	first := plan.Step{Into: signatures, Stages: []plan.Stage{plan.Tool("recsign", &sign)}}
	if first.Stdin = named; named {
		sign.Null = s.Null
	} else {
		operands = dirgroup.Top(operands)
		globs := s.excluded(operands)
		command := append([]string{"find", "-H"}, places(operands)...)
		for i, glob := range globs {
			command = append(command, []string{"(", "-o"}[min(i, 1)], "-name", glob)
		}
		if len(globs) > 0 {
			command = append(command, ")", "-prune", "-o")
		}
		command = append(command, "-type", "f", "-print0")
		first.Source = &plan.Source{Command: command, Open: func() (io.ReadCloser, error) { return regularFiles(e, operands, globs) }}
	}
	held, pair, score, match := b.Scratch(""), s.Pair, s.Score, s.match()
	pair.Pairing.List = b.Output(pair.Pairing.List, false)
	score.Sigs, score.OutputName = []string{signatures.Path()}, ""
	pairs := plan.Step{Stages: []plan.Stage{plan.Tool("lshpairs", &pair).On(signatures.Path())}, Into: held}
	var last plan.Stage
	output := ""
	if s.Scores {
		output = b.Output(s.Score.OutputName, true)
		score.OutputName, last = output, plan.Tool("jaccard", &score)
	} else {
		score.JSON, score.Header = false, false
		pairs.Stages = append(pairs.Stages, plan.Tool("jaccard", &score))
		output = b.Output(s.Match.OutputName, true)
		match.OutputName, last = output, plan.Tool("matchsub", &match)
	}
	// The last step, which creates the output, runs only if the earlier steps succeed.
	b.Add(first, pairs, plan.Step{Stages: []plan.Stage{last.On(held.Path())}})
	if err := b.Do(out); err != nil || s.Print != plan.None {
		return err
	}
	if info, err := os.Stat(output); err == nil && output != "" {
		out.N = info.Size()
	}
	if out.N == 0 {
		hint := ""
		if s.Match.Normalize == text.None {
			hint = "; --normalize conservative ignores case, line ends and blanks"
		}
		e.Note("no two files share a passage of %s bytes%s", s.Sign.Window, hint)
	}
	return nil
}

// versionControl lists the directories of version control systems: most of their files are compressed,
// and people do not write them.
var versionControl = []string{".git", ".hg", ".svn"}

// excluded returns the patterns of the names to leave out. An operand that is itself such a
// directory, or a part of it, is read like others.
func (s *Options) excluded(operands []string) []string {
	asked := func(name string) bool {
		return slices.ContainsFunc(strings.Split(filepath.Clean(name), "/"), func(part string) bool { return slices.Contains(versionControl, part) })
	}
	if s.All || slices.ContainsFunc(operands, asked) {
		return s.Exclude
	}
	return slices.Concat(versionControl, s.Exclude)
}

// places returns operands as starting points for find(1). It prefixes ./ to names that begin with a
// hyphen, an exclamation mark, a parenthesis or a comma, because find would parse such names as
// options or as parts of an expression.
func places(operands []string) (all []string) {
	for _, name := range operands {
		if strings.ContainsAny(name[:min(1, len(name))], "-!(),") {
			name = "./" + name
		}
		all = append(all, name)
	}
	return all
}

// regularFiles returns the names of the operands that are regular files, and of the regular files
// below the other operands whose names match no pattern, each name once. A NUL follows each name. An unreadable directory ends the run unless -k
// is given.
func regularFiles(e *tool.Env, operands, exclude []string) (io.ReadCloser, error) {
	var names bytes.Buffer
	seen := map[string]bool{} // names without a leading ./ and the like
	var batch filename.Batch
	walk := files.NewWalk(operands, files.Refuse)
	walk.Leave = func(name []byte) bool { return files.Match(exclude, name) }
	for walk.Next(&batch, 64) == nil {
		for _, it := range batch.Items {
			if clean := filepath.Clean(string(it.Name)); it.Err == nil && !seen[clean] {
				seen[clean] = true
				names.Write(append(it.Name, 0))
			} else if err := e.Skip(it.Err); err != nil {
				return nil, err
			}
		}
	}
	return &nameList{names}, nil
}

// A nameList is a list of names in memory. It implements io.ReadCloser.
type nameList struct{ bytes.Buffer }

func (*nameList) Close() error { return nil }
