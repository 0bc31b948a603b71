package tui

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/pipeline"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
)

// A Setup is what was chosen.
type Setup struct {
	Files     []string
	Dirs      bool // some are directories, whose files are compared
	Job       Job
	Field     string
	Threshold float64
	Output    string
}

// step moves the threshold by hundredths, and keeps it where it means something.
func (s *Setup) step(by int) {
	n := min(100, max(1, int(math.Round(s.Threshold*100))+by))
	s.Threshold = float64(n) / 100
}

// fuzzy returns the options of doppel fuzzy.
func (s *Setup) fuzzy() *pipeline.Fuzzy {
	o := pipeline.DefaultFuzzy()
	o.Pair.Keys.Threshold = s.Threshold
	o.Records.Fields = []string{s.Field}
	o.Apply.OutputName = s.Output
	return &o
}

// Args returns the arguments of doppel that do the job.
func (s *Setup) Args() []string {
	args := s.Job.words()
	if s.Job.hasThreshold() {
		args = append(args, "--threshold="+strconv.FormatFloat(s.Threshold, 'g', -1, 64))
	}
	if s.Job.hasField() {
		args = append(args, "--field="+s.Field)
	}
	if s.Output != "" {
		args = append(args, "--output="+s.Output)
	}
	if slices.ContainsFunc(s.Files, func(name string) bool { return strings.HasPrefix(name, "-") }) {
		args = append(args, "--")
	}
	return append(args, s.Files...)
}

// Command returns the command that does the job, for a shell.
func (s *Setup) Command() string {
	text := "doppel"
	for _, a := range s.Args() {
		text += " " + wording.Quote(a)
	}
	return text
}

// propose sets what is usual for a file: an output beside it.
func (s *Setup) propose() {
	if s.Threshold == 0 {
		s.Threshold = 0.8
	}
	if s.Field == "" {
		s.Field = flags.Text
	}
	if len(s.Files) > 0 {
		s.Output = s.proposed()
	}
}

// proposed returns the usual name of the output of the job.
func (s *Setup) proposed() string {
	dir, base := filepath.Split(filepath.Clean(s.Files[0]))
	name, ends, _ := strings.Cut(base, ".")
	switch {
	case s.Job == Equal && name == "":
		return dir + "equal.tsv" // of . and the like
	case s.Job == Equal:
		return dir + name + ".equal.tsv"
	case ends == "":
		ends = "jsonl"
	}
	return dir + name + s.Job.ending() + "." + ends
}

// turn takes the next job, and its usual output if it had that of the one before.
func (s *Setup) turn(by int) {
	usual := len(s.Files) > 0 && s.Output == s.proposed()
	if s.Job = (s.Job + Job(by) + jobs) % jobs; s.Dirs {
		s.Job = Equal
	}
	if usual {
		s.Output = s.proposed()
	}
}
