package tool

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"doppel/pkg/record"
)

// Progress counts the work that a run has done. The zero value counts and shows nothing.
type Progress struct {
	Items, Bytes atomic.Int64
	Meter        record.Meter // of the inputs of known size

	mu     sync.Mutex
	stages []*stage // running now, in the order of the pipe
}

// Add counts items and bytes.
func (p *Progress) Add(items int, bytes int64) {
	p.Items.Add(int64(items))
	p.Bytes.Add(bytes)
}

// A state is the progress of some work.
type state struct {
	items, bytes int64
	read, total  int64 // of the inputs; total is 0 if it is not known
}

// A stage holds the progress of a stage of the run.
type stage struct {
	name  string
	begun time.Time
	*Progress
}

// followed returns the stage to show: the first stage that knows how much is left,
// otherwise the last stage that has done something, otherwise nil.
func (p *Progress) followed() (chosen *stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.stages {
		s := one.state()
		if one.begun.IsZero() && (s.items > 0 || s.read > 0) {
			one.begun = time.Now().Add(-quiet) // the stage began after the last call
		}
		switch {
		case s.read < s.total && !one.begun.IsZero():
			return one
		case s.items > 0 || s.read > 0:
			chosen = one
		}
	}
	return chosen
}

func (p *Progress) state() state {
	s := state{items: p.Items.Load(), bytes: p.Bytes.Load()}
	if read, total, ok := p.Meter.Far(); ok {
		s.read, s.total = read, total
	}
	return s
}

// describe returns the progress after time d as text.
func (s state) describe(d time.Duration) string {
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

// Watching reports whether the user watches: stderr is a terminal, or --progress forces it.
// A stage is watched if its run is.
func (e *Env) Watching() bool {
	if e.parent != nil {
		return e.parent.Watching()
	}
	return e.Watch.Force || !e.Watch.Never && isTerminal(e.Stderr)
}

const (
	quiet  = 2 * time.Second // shorter work shows nothing
	seldom = 10              // the next line comes after a tenth more of the elapsed time
)

// ShowProgress prints the progress of the run from time to time, as plain lines rather than
// a bar, since several tools of a pipeline share one terminal. It returns a function that
// stops it.
func (e *Env) ShowProgress() (stop func()) {
	if !e.Watching() {
		return func() {}
	}
	begun, quit, done := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-time.After(max(quiet, time.Since(begun)/seldom)):
				e.progressLine(begun)
			case <-quit:
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
		if took := time.Since(begun); took >= quiet && e.Progress.Items.Load() > 0 {
			e.Note("%s", e.Progress.state().describe(took))
		}
	}
}

func (e *Env) progressLine(begun time.Time) {
	if s := e.Progress.followed(); s != nil {
		e.Note("%s: %s", s.name, s.state().describe(time.Since(s.begun)))
	} else if now := e.Progress.state(); now.items > 0 || now.read > 0 {
		e.Note("%s", now.describe(time.Since(begun)))
	}
}
