package tui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"doppel/pkg/msg"
)

// A job is a kind of deduplication or filtering.
type job struct {
	name, what string
	words      []string // arguments of doppel that select the job
	preview    []string // further arguments, with which the job writes no file
	fixed      string   // text that the form shows instead of a threshold
	ending     string   // added to the output's name, before the extension
	whole      bool     // the job compares whole files, not records
}

// jobs lists the jobs. The filter job runs the tool recfilter, because doppel filter has no flag
// --field.
var jobs = []job{
	{"fuzzy", "remove near-duplicates of the field", []string{"fuzzy"}, []string{"--dry-run", "--no-progress"}, "", ".deduped", false},
	{"exact", "remove exact duplicates of the field", []string{"exact"}, []string{"--dry-run", "--no-progress"}, "(equal)", ".deduped", false},
	{"filter", "remove records that break a quality rule", []string{"recfilter", "--apply"}, []string{"--apply=false", "--no-progress"}, "(rules of the preset default)", ".filtered", false},
	{"files", "list equal files", []string{"files"}, []string{"--no-progress"}, "(every byte)", ".equal", true},
}

// A run holds the user's choices.
type run struct {
	files     []string
	job       int // index in jobs
	field     string
	threshold float64
	output    string
}

// args returns the arguments of doppel for the run.
func (r *run) args(more ...string) []string {
	j := &jobs[r.job]
	args := append(slices.Clone(j.words), more...)
	if j.fixed == "" {
		args = append(args, "--threshold="+strconv.FormatFloat(r.threshold, 'g', -1, 64))
	}
	if !j.whole {
		args = append(args, "--field="+r.field)
	}
	if r.output != "" {
		args = append(args, "--output="+r.output)
	}
	if slices.ContainsFunc(r.files, func(name string) bool { return strings.HasPrefix(name, "-") }) {
		args = append(args, "--")
	}
	return append(args, r.files...)
}

// command returns the shell command for the run.
func (r *run) command() string { return msg.Command("doppel", r.args()...) }

// propose returns a name for the output, in the directory of the first file, or "" if no file is
// chosen.
func (r *run) propose() string {
	if len(r.files) == 0 {
		return ""
	}
	j := &jobs[r.job]
	dir, base := filepath.Split(filepath.Clean(r.files[0]))
	name, ends, _ := strings.Cut(base, ".")
	switch {
	case j.whole && name == "":
		return dir + "equal.tsv" // the base name begins with a dot
	case j.whole:
		ends = "tsv"
	case ends == "":
		ends = "jsonl"
	}
	return dir + name + j.ending + "." + ends
}

// A runner runs doppel in the background. It returns the output and the last message that is not a
// hint. If the run fails, err has its first message.
type runner interface {
	doppel(ctx context.Context, args ...string) (out []byte, last string, err error)
}

// A process is a runner that starts a program.
type process struct{ path string }

func (p *process) doppel(ctx context.Context, args ...string) (out []byte, last string, err error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, p.path, args...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) } // lets the command remove its temporary files
	c.Stdout, c.Stderr = &stdout, &stderr
	err = c.Run()
	first := ""
	for message := range strings.Lines(stderr.String()) {
		if message = strings.TrimSpace(message); message != "" && !strings.Contains(message, ": hint: ") {
			first, last = cmp.Or(first, message), message
		}
	}
	if err != nil && first != "" {
		err = errors.New(first)
	}
	return stdout.Bytes(), last, err
}

// preview returns a sentence about what the run would do.
func (r run) preview(ctx context.Context, by runner) (string, error) {
	r.output = ""
	out, last, err := by.doppel(ctx, r.args(jobs[r.job].preview...)...)
	if err != nil || last != "" {
		return strings.TrimPrefix(last, "doppel "+jobs[r.job].name+": "), err
	}
	dropped := bytes.Count(append([]byte("\n"), out...), []byte("\ndrop\t")) // only recfilter has no message
	return msg.Number(dropped, "record") + " would be dropped", nil
}

// fields returns the string fields of the first record, the longest first.
func fields(ctx context.Context, by runner, files []string) (names []string, err error) {
	out, _, err := by.doppel(ctx, append([]string{"reccat", "--head=1", "--to=jsonl", "--"}, files...)...)
	if err != nil {
		return nil, err
	}
	record := map[string]json.RawMessage{}
	if json.Unmarshal(out, &record) != nil {
		return nil, nil
	}
	sizes := map[string]int{}
	for name, value := range record {
		var text string
		if json.Unmarshal(value, &text) == nil && !strings.Contains(name, ".") {
			names, sizes[name] = append(names, name), len(text)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(sizes[b]-sizes[a], cmp.Compare(a, b)) })
	return names, nil
}
