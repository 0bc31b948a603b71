package tool

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"doppel/pkg/record"
)

// Progress counts the work that a run has done. The zero value is ready to use; Env.ShowProgress
// prints the counts.
type Progress struct {
	Items, Bytes atomic.Int64
	Meter        record.Meter // bytes read and total bytes of the inputs, if their sizes are known

	mu     sync.Mutex
	stages []*stage // the stages running now, in pipeline order
}

// Add adds items and bytes to the counts. It is safe for concurrent use.
func (p *Progress) Add(items int, bytes int64) {
	p.Items.Add(int64(items))
	p.Bytes.Add(bytes)
}

// A state is a snapshot of the progress of a run or a stage.
type state struct {
	items, bytes int64
	read, total  int64 // bytes read, and size of the inputs; both are 0 if the size is unknown
}

// A stage holds the name, start time and progress of one stage of a pipeline.
type stage struct {
	name  string
	begun time.Time
	*Progress
}

// followed returns the stage to show: the first stage whose input has a known size and is not yet
// read completely, otherwise the last stage that has done any work, otherwise nil.
func (p *Progress) followed() (chosen *stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.stages {
		s := one.state()
		if one.begun.IsZero() && (s.items > 0 || s.read > 0) {
			// The stage began after the previous call of this method. The exact time is unknown.
			one.begun = time.Now().Add(-quiet)
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

// describe returns a one-line description of the progress made in the time d.
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

const (
	quiet  = 2 * time.Second // a run shorter than this shows no progress
	seldom = 10              // the interval between lines grows to a tenth of the elapsed time
)
