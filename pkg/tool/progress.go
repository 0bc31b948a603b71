package tool

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"doppel/pkg/record"
)

// Progress counts what a run has done. The zero value counts and shows nothing.
type Progress struct {
	Items, Bytes atomic.Int64
	Meter        record.Meter          // of the inputs whose size is known
	stage        atomic.Pointer[stage] // what another process tells, where that does the work
}

// Add counts items and bytes.
func (p *Progress) Add(items int, bytes int64) {
	p.Items.Add(int64(items))
	p.Bytes.Add(bytes)
}

// state is how far some work is.
type state struct {
	items, bytes int64
	read, total  int64 // of the inputs; total is 0 if it is not known
}

// A stage is a process that tells how far it is, under --tell.
type stage struct {
	name  string
	begun time.Time
	state
}

func (p *Progress) state() state {
	s := state{items: p.Items.Load(), bytes: p.Bytes.Load()}
	if read, total, ok := p.Meter.Far(); ok {
		s.read, s.total = read, total
	}
	return s
}

// String says how far that is after so much time.
func (s state) after(d time.Duration) string {
	seconds := d.Seconds()
	text := fmt.Sprintf("%d done, %.1f MB, %.0f/s, %.1f MB/s", s.items, float64(s.bytes)/1e6,
		float64(s.items)/seconds, float64(s.bytes)/1e6/seconds)
	if s.total == 0 {
		return text
	}
	text = fmt.Sprintf("%d %%, %s", 100*s.read/s.total, text)
	if s.read > 0 && s.read < s.total {
		left := time.Duration(float64(d) * float64(s.total-s.read) / float64(s.read))
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}

// underway reports whether it is known how much is left. One that knows is shown
// before those behind it in the pipe, which do not.
func (s state) underway() bool { return s.read < s.total }

// Watching reports whether the user watches: stderr is a terminal, or
// --progress forces it. A stage that tells another process is not watched itself.
func (e *Env) Watching() bool {
	return e.Watch.Force || !e.Watch.Never && e.Tell == 0 && isTerminal(e.Stderr)
}

const (
	quiet   = 2 * time.Second        // work that takes less is done in silence
	telling = 500 * time.Millisecond // between two reports to another process
	seldom  = 10                     // lines come after a tenth more of the time that has passed
)

// startProgress shows from time to time how far the run is: as plain lines, not a
// bar, since several tools of a pipeline share one terminal. It returns what stops it.
func (e *Env) startProgress() (stop func()) {
	begun, quit, done := time.Now(), make(chan struct{}), make(chan struct{})
	switch {
	case e.Tell > 0:
		go e.tell(quit, done)
	case e.Watching():
		go e.show(begun, quit, done)
	default:
		return func() {}
	}
	return func() {
		close(quit)
		<-done
		if took := time.Since(begun); e.Tell == 0 && took >= quiet && e.Progress.Items.Load() > 0 {
			e.Note("%s", e.Progress.state().after(took))
		}
	}
}

// show shows lines, ever more seldom.
func (e *Env) show(begun time.Time, quit, done chan struct{}) {
	defer close(done)
	for {
		select {
		case <-time.After(max(quiet, time.Since(begun)/seldom)):
			e.progressLine(begun)
		case <-quit:
			return
		}
	}
}

func (e *Env) progressLine(begun time.Time) {
	if s := e.Progress.stage.Load(); s != nil {
		e.Note("%s: %s", s.name, s.after(time.Since(s.begun)))
	} else if now := e.Progress.state(); now.items > 0 || now.read > 0 {
		e.Note("%s", now.after(time.Since(begun)))
	}
}

// tell writes to the descriptor of --tell how far the run is, as columns: the name of
// the tool, and the fields of a state. One write is one report.
func (e *Env) tell(quit, done chan struct{}) {
	defer close(done)
	to, last := os.NewFile(uintptr(e.Tell), "progress"), state{}
	for {
		select {
		case <-time.After(telling):
		case <-quit:
			return
		}
		if s := e.Progress.state(); s != last {
			last = s
			fmt.Fprintf(to, "%s\t%d\t%d\t%d\t%d\n", e.Name, s.items, s.bytes, s.read, s.total)
		}
	}
}

// Told takes a report of a stage, which is shown as the progress of this run.
func (p *Progress) Told(report string) error {
	name, rest, _ := strings.Cut(report, "\t")
	fields := strings.Split(rest, "\t")
	if len(fields) != 4 {
		return fmt.Errorf("%q is no report of progress", report)
	}
	s := &stage{name: name, begun: time.Now().Add(-telling)}
	for i, to := range []*int64{&s.items, &s.bytes, &s.read, &s.total} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return err
		}
		*to = n
	}
	before := p.stage.Load()
	if before != nil && before.name == name {
		s.begun = before.begun
	}
	if before == nil || s.total > 0 || !before.underway() {
		p.stage.Store(s)
	}
	return nil
}
