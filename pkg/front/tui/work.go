package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"doppel/pkg/pipeline"
	"doppel/pkg/plan"
	"doppel/pkg/review"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/stage/recfilter"
	"doppel/pkg/texts"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A Worker does what takes long. Its methods are called beside the screen.
type Worker interface {
	// Look returns the first records, a field a line, and the fields of the first one
	// that are texts, the longest first.
	Look(files []string) (records []string, fields []string, err error)
	// Sample says what the jobs would drop of some records.
	Sample(s Setup) (*Sample, error)
	// Run does the job but for writing, and tells how it goes.
	Run(s Setup, tell func(string)) (*Outcome, error)
	// Write writes what is kept, and says so.
	Write(s Setup) (string, error)
	// Close removes what was left in files.
	Close()
}

// An Outcome is what a job has decided.
type Outcome struct {
	Pairs *review.List // nil: the job names no pairs
	Texts review.Texts
	Rows  []string // of a job that names no pairs: what else it found
	Told  string
}

// worker does it by the tools.
type worker struct {
	jobs      int
	decisions string // the file of those of the last run
	store     *texts.Store
}

// lookAt is how many records are shown.
const lookAt = 20

func (w *worker) Look(files []string) (records, fields []string, err error) {
	text, err := output(reccat.Command(), append([]string{"--head", fmt.Sprint(lookAt), "--to", "jsonl", "--"}, files...), nil)
	if err != nil {
		return nil, nil, err
	}
	for i, one := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		records = append(records, fmt.Sprintf("# record %d", i))
		names, values := members(one)
		if names == nil {
			records = append(records, short(string(one)))
		}
		for j, name := range names {
			records = append(records, "  "+name+": "+short(values[j]))
		}
		if i == 0 {
			fields = textFields(one, names)
		}
	}
	return records, fields, nil
}

// short is the start of a value, of which no more is seen.
func short(s string) string { return s[:min(len(s), 500)] }

// members returns the names of an object and the text of their values, in order.
func members(object []byte) (names, values []string) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return names, values
		}
		names, values = append(names, fmt.Sprint(name)), append(values, string(value))
	}
	return names, values
}

// textFields returns the names of the members that are strings, the longest first.
func textFields(object []byte, names []string) (fields []string) {
	var all map[string]any
	if json.Unmarshal(object, &all) != nil {
		return nil
	}
	size := func(name string) int { s, _ := all[name].(string); return len(s) }
	for _, name := range names {
		if _, ok := all[name].(string); ok && !strings.Contains(name, ".") {
			fields = append(fields, name)
		}
	}
	slices.SortStableFunc(fields, func(a, b string) int { return size(b) - size(a) })
	return fields
}

// Run does the job but for writing. Of all but the fuzzy one nothing is kept: writing
// does it again.
func (w *worker) Run(s Setup, tell func(string)) (*Outcome, error) {
	lines := &lastLines{tell: tell}
	switch s.Job {
	case Exact:
		return w.exact(s, lines)
	case Filter:
		return w.filter(s, lines)
	case Equal:
		return w.equal(s, lines)
	}
	return w.decide(s, lines)
}

func (w *worker) exact(s Setup, lines *lastLines) (*Outcome, error) {
	s.Output = ""
	text, err := runExact(s, lines, "--dry-run", "--progress")
	return &Outcome{Told: strings.TrimSpace(string(text) + lines.last())}, err
}

// runExact runs doppel exact in this process.
func runExact(s Setup, lines *lastLines, flags ...string) ([]byte, error) {
	o := pipeline.DefaultExact()
	return output(&tool.Command{Name: "doppel exact", Options: &o}, append(flags, s.Args()[1:]...), lines)
}

func (w *worker) decide(s Setup, lines *lastLines) (*Outcome, error) {
	f, err := os.CreateTemp("", "doppel-tui")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w.Close()
	w.decisions = f.Name()
	if n := slices.IndexFunc(s.Files, plan.ReadsOnce); n >= 0 {
		return nil, fmt.Errorf("%s can be read only once", s.Files[n])
	}
	chain := s.fuzzy()
	e := &tool.Env{Std: tool.Std{Stderr: lines}, Name: "doppel fuzzy"}
	e.Watch.Force = true
	defer e.ShowProgress()()
	b := &plan.Builder{Env: e}
	b.Add(plan.Step{Stages: chain.Chain(s.Files)})
	if err := b.Do(f); err != nil {
		return nil, err
	}
	list, err := load(f.Name())
	if err != nil {
		return nil, err
	}
	w.store = texts.New(s.Files, chain.Records)
	go w.store.Read()
	return &Outcome{Pairs: list, Texts: w.store, Told: wording.Number(list.Status().Pairs, "record") + " would be dropped"}, nil
}

// load reads the decisions of a file as pairs.
func load(name string) (*review.List, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	list := review.NewList()
	for line := range bytes.Lines(text) {
		if err := list.Add(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return nil, err
		}
	}
	list.End(nil)
	return list, nil
}

func (w *worker) Write(s Setup) (told string, err error) {
	switch s.Job {
	case Exact:
		_, err = runExact(s, nil, "--no-progress", "--stats=none")
	case Filter:
		_, err = output(recfilter.Command(), append([]string{"--no-progress"}, s.Args()[1:]...), nil)
	case Equal:
		_, err = w.doppel(s, &lastLines{})
	default:
		args := []string{"--decisions=" + w.decisions, "--output=" + s.Output, "--no-progress", "--"}
		_, err = output(keepdrop.Command(), append(args, s.Files...), nil)
	}
	return "wrote " + s.Output, err
}

func (w *worker) Close() {
	if w.decisions != "" {
		os.Remove(w.decisions)
	}
	if w.store != nil {
		w.store.Close()
	}
	w.decisions, w.store = "", nil
}
