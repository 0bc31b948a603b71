package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/msg"
	"doppel/pkg/record"
)

// A Job is a kind of deduplication or filtering.
type Job int

// The jobs.
const (
	Fuzzy  Job = iota
	Exact      // drops records whose text equals the text of an earlier record
	Filter     // drops records that break a rule
	Equal      // lists equal files, whatever their format
	jobs
)

// jobTexts describes the jobs. The filter job runs the tool recfilter, because doppel filter has no
// flag --field.
var jobTexts = [jobs]struct {
	name          string
	words         []string // arguments of doppel that select the job
	what, instead string   // what the job does; text that the job page shows instead of a threshold
	ending        string   // added to the output's name, before the extension
}{
	Fuzzy:  {"fuzzy", []string{"fuzzy"}, "remove near-duplicates of the field", "", ".deduped"},
	Exact:  {"exact", []string{"exact"}, "remove exact duplicates of the field", "(equal)", ".deduped"},
	Filter: {"filter", []string{"recfilter", "--apply"}, "remove records that break a quality rule", "(rules of the preset default)", ".filtered"},
	Equal:  {"files", []string{"files"}, "list equal files", "(every byte)", ".equal"},
}

func (j Job) String() string { return jobTexts[j].name }

// A Setup holds the user's choices.
type Setup struct {
	Files     []string
	Dirs      bool // some of Files are directories, so the job compares the files below them
	Job       Job
	Field     string
	Threshold float64
	Output    string
}

func (s *Setup) records() record.Options { return record.Options{Fields: []string{s.Field}} }

// Args returns the arguments of doppel for the job.
func (s *Setup) Args() []string {
	args := slices.Clone(jobTexts[s.Job].words)
	if s.Job == Fuzzy {
		args = append(args, "--threshold="+strconv.FormatFloat(s.Threshold, 'g', -1, 64))
	}
	if s.Job != Equal {
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

// Command returns the shell command for the job.
func (s *Setup) Command() string { return msg.Command("doppel", s.Args()...) }

// propose returns a name for the output of the job, in the directory of the first file, or
// "" if no file is chosen.
func (s *Setup) propose() string {
	if len(s.Files) == 0 {
		return ""
	}
	dir, base := filepath.Split(filepath.Clean(s.Files[0]))
	name, ends, _ := strings.Cut(base, ".")
	switch {
	case s.Job == Equal && name == "":
		return dir + "equal.tsv" // the base name begins with a dot
	case s.Job == Equal:
		ends = "tsv"
	case ends == "":
		ends = "jsonl"
	}
	return dir + name + jobTexts[s.Job].ending + "." + ends
}

// A picker is the state of the page on which the user chooses files and directories.
type picker struct {
	dir     string
	entries []os.DirEntry // directories, then files; hidden ones are omitted
	at      int           // cursor: 0 is the parent directory, 1 is the first entry
	chosen  []string
}

// open reads a directory and moves the cursor to its first entry.
func (p *picker) open(dir string) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var dirs, files []os.DirEntry
	for _, e := range all {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			dirs = append(dirs, e)
		default:
			files = append(files, e)
		}
	}
	p.dir, p.entries = dir, append(dirs, files...)
	p.at = min(1, len(p.entries))
	return nil
}

func (p *picker) name() string {
	if p.at == 0 {
		return filepath.Join(p.dir, "..")
	}
	return filepath.Join(p.dir, p.entries[p.at-1].Name())
}

func (p *picker) move(by int) { p.at = max(0, min(p.at+by, len(p.entries))) }

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
