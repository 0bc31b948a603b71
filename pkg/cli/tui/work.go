package tui

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/review"
	"doppel/pkg/review/textstore"
)

// A Worker does the slow work. Its methods are called in the background.
type Worker interface {
	// Look returns the first records, one field per line, and the string fields of the first
	// record, longest first.
	Look(files []string) (records []string, fields []string, err error)
	// Sample draws a sample of the records and finds those that the jobs would drop.
	Sample(s Setup) (*Sample, error)
	// Run does the job without writing the output. It calls tell with each message of the job.
	Run(s Setup, tell func(string)) (*Outcome, error)
	// Write writes the output and returns a message about it.
	Write(s Setup) (string, error)
	// Close ends running commands and removes temporary files.
	Close()
}

// An Outcome is the result of a job.
type Outcome struct {
	Pairs *review.List // nil if the job does not find pairs
	Texts review.Texts
	Rows  []string // lines that show the result of a job that does not find pairs
	Told  string
}

// A worker is a Worker that runs the commands shown on the screen, each as a process of this
// program.
type worker struct {
	jobs      int
	running   context.Context
	stop      context.CancelFunc
	busy      sync.RWMutex // read-locked by each running command
	decisions string       // name of the file with the decisions of the last run
	store     *textstore.Store
}

func newWorker(jobs int) *worker {
	w := &worker{jobs: jobs}
	w.running, w.stop = context.WithCancel(context.Background())
	return w
}

// doppel runs a subcommand, and returns its output and its last message. Unless tell is nil, doppel
// calls it with each message that is not a hint. If the subcommand fails, err contains its first
// message.
func (w *worker) doppel(in io.Reader, tell func(string), args ...string) (out []byte, last string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	w.busy.RLock()
	defer w.busy.RUnlock()
	var stdout bytes.Buffer
	c := exec.CommandContext(w.running, self, args...)
	// SIGTERM lets the command remove its temporary files.
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.Stdin, c.Stdout = in, &stdout
	stderr, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return nil, "", err
	}
	first := ""
	for messages, more := bufio.NewReader(stderr), error(nil); more == nil; {
		var message string
		message, more = messages.ReadString('\n')
		if message = strings.TrimSpace(message); message == "" || strings.Contains(message, ": hint: ") {
			continue
		}
		if first, last = cmp.Or(first, message), message; tell != nil {
			tell(message)
		}
	}
	if err = c.Wait(); err != nil && first != "" {
		err = errors.New(first)
	}
	return stdout.Bytes(), last, err
}

func (w *worker) Look(files []string) (records, fields []string, err error) {
	const lookAt = "20"
	out, _, err := w.doppel(nil, nil, append([]string{"reccat", "--head", lookAt, "--to", "jsonl", "--"}, files...)...)
	if err != nil {
		return nil, nil, err
	}
	short := func(s string) string { return s[:min(len(s), 500)] } // no screen is wide enough for more bytes
	sizes := map[string]int{}
	for i, one := range bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n")) {
		records = append(records, fmt.Sprintf("# record %d", i))
		d := json.NewDecoder(bytes.NewReader(one))
		if t, err := d.Token(); err != nil || t != json.Delim('{') || !d.More() {
			records = append(records, short(string(one)))
			continue
		}
		for d.More() {
			name, err := d.Token()
			var value json.RawMessage
			if err != nil || d.Decode(&value) != nil {
				break
			}
			field, text := fmt.Sprint(name), ""
			records = append(records, "  "+field+": "+short(string(value)))
			if i == 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil && !strings.Contains(field, ".") {
				fields, sizes[field] = append(fields, field), len(text)
			}
		}
	}
	slices.SortStableFunc(fields, func(a, b string) int { return sizes[b] - sizes[a] })
	return records, fields, nil
}

// Run does the job but does not write the output. For the fuzzy job, it keeps the decisions for
// Write; for other jobs, Write repeats the work.
func (w *worker) Run(s Setup, tell func(string)) (*Outcome, error) {
	s.Output = ""
	switch args := s.Args(); s.Job {
	case Exact:
		out, last, err := w.doppel(nil, tell, slices.Insert(args, 1, "--dry-run", "--progress")...)
		return &Outcome{Told: strings.TrimSpace(string(out) + last)}, err
	case Filter:
		args[1] = "--progress" // replaces --apply, so that recfilter writes decisions
		j, err := w.countDrops(nil, tell, args...)
		return &Outcome{Told: msg.Number(j.dropped, "record") + " would be dropped", Rows: j.rows()}, err
	case Equal: // the command fails if some files are unreadable, but lists the others
		out, last, err := w.doppel(nil, tell, args...)
		if err != nil && len(out) == 0 {
			return nil, err
		}
		told := strings.TrimPrefix(last, "doppel files: ")
		if err != nil {
			told = err.Error() + "; " + told
		}
		o, group := &Outcome{Told: told}, int64(0)
		return o, eachLine(out, func(text []byte) error {
			const mostRows = 10_000
			var g line.Group
			if err := g.Parse(text); err != nil || len(o.Rows) > mostRows {
				return err
			}
			if g.Group != group {
				o.Rows = append(o.Rows, fmt.Sprintf("%d: files of %s", g.Group, msg.Number(g.Size, "byte")))
				group = g.Group
			}
			row := "  stays  " + string(g.Name)
			if g.Wasted > 0 {
				row = "  copy   " + string(g.Name)
			}
			if o.Rows = append(o.Rows, row); len(o.Rows) >= mostRows {
				o.Rows = append(o.Rows, "… more than are shown")
			}
			return nil
		})
	}
	if n := slices.IndexFunc(s.Files, plan.ReadsOnce); n >= 0 {
		return nil, fmt.Errorf("%s: want a file, because it is read more than once", s.Files[n])
	}
	w.clean()
	f, err := os.CreateTemp("", "doppel-tui")
	if err != nil {
		return nil, err
	}
	w.decisions = f.Name()
	if err := f.Close(); err != nil {
		return nil, err
	}
	args := slices.Insert(s.Args(), 1, "--progress", "--stats=none", "--decisions="+w.decisions, "--output="+os.DevNull)
	if _, _, err := w.doppel(nil, tell, args...); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(w.decisions)
	if err != nil {
		return nil, err
	}
	list := review.NewList()
	if err := eachLine(text, list.Add); err != nil {
		return nil, err
	}
	list.End(nil)
	w.store = textstore.New(s.Files, s.records())
	go w.store.Read()
	return &Outcome{Pairs: list, Texts: w.store, Told: msg.Number(list.Status().Pairs, "record") + " would be dropped"}, nil
}

// drops counts the records that the filter drops, in total and by rule.
type drops struct {
	dropped int
	reasons map[string]int
}

// countDrops runs doppel with args, parses its output as decisions, and counts the drops.
func (w *worker) countDrops(in io.Reader, tell func(string), args ...string) (drops, error) {
	j := drops{reasons: map[string]int{}}
	out, _, err := w.doppel(in, tell, args...)
	if err != nil {
		return j, err
	}
	return j, eachLine(out, func(text []byte) error {
		var d line.Decision
		err := d.Parse(text)
		if err == nil && d.Verdict == line.Drop {
			j.dropped++
			j.reasons[string(d.Rule)]++
		}
		return err
	})
}

// eachLine calls parse with each line, until parse returns an error.
func eachLine(list []byte, parse func(text []byte) error) error {
	for text := range bytes.Lines(list) {
		if err := parse(bytes.TrimSuffix(text, []byte("\n"))); err != nil {
			return err
		}
	}
	return nil
}

// rows lists the rules with their counts, the most frequent first.
func (j *drops) rows() (all []string) {
	for _, name := range slices.SortedFunc(maps.Keys(j.reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(j.reasons[b], j.reasons[a]), cmp.Compare(a, b))
	}) {
		all = append(all, fmt.Sprintf("%6d  %s", j.reasons[name], name))
	}
	return all
}

func (w *worker) Sample(s Setup) (*Sample, error) {
	all, total, err := drawn(s.Files, s.records())
	if err != nil {
		return nil, err
	}
	sample := newSample(all, w.jobs)
	sample.Total = total
	var records []byte
	for _, text := range all {
		records = append(cell.AppendJSON(append(records, `{"text":`...), text), '}', '\n')
	}
	sample.judged, err = w.countDrops(bytes.NewReader(records), nil, "recfilter")
	return sample, err
}

// Write runs the command, or applies the decisions of the last fuzzy run.
func (w *worker) Write(s Setup) (told string, err error) {
	args := s.Args()
	if s.Job == Fuzzy {
		args = append([]string{"keepdrop", "--decisions=" + w.decisions, "--output=" + s.Output, "--"}, s.Files...)
	}
	_, _, err = w.doppel(nil, nil, slices.Insert(args, 1, "--no-progress")...)
	return "wrote " + s.Output, err
}

// clean removes the temporary files of the last run.
func (w *worker) clean() {
	if w.decisions != "" {
		os.Remove(w.decisions)
	}
	if w.store != nil {
		w.store.Close()
	}
	w.decisions, w.store = "", nil
}

func (w *worker) Close() {
	w.stop()
	w.busy.Lock()
	defer w.busy.Unlock()
	w.clean()
}
