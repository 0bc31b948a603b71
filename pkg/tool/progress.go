package tool

import (
	"sync/atomic"
	"time"
)

// Progress counts what a run has done. The zero value counts and shows nothing.
type Progress struct {
	Items, Bytes atomic.Int64
}

// Add counts items and bytes.
func (p *Progress) Add(items int, bytes int64) {
	p.Items.Add(int64(items))
	p.Bytes.Add(bytes)
}

// Watching reports whether the user watches: stderr is a terminal, or
// --progress forces it.
func (e *Env) Watching() bool {
	return e.Watch.Force || !e.Watch.Never && isTerminal(e.Stderr)
}

// startProgress prints a plain line every two seconds, not a bar: several
// tools of one pipeline share one terminal. It returns what stops it.
func (e *Env) startProgress() (stop func()) {
	if !e.Watching() {
		return func() {}
	}
	begun, tick, quit := time.Now(), time.NewTicker(2*time.Second), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				e.progressLine(time.Since(begun))
			case <-quit:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(quit)
		if e.Progress.Items.Load() > 0 {
			e.progressLine(time.Since(begun))
		}
	}
}

func (e *Env) progressLine(d time.Duration) {
	items, bytes := e.Progress.Items.Load(), e.Progress.Bytes.Load()
	e.Note("%d done, %.1f MB, %.0f/s, %.1f MB/s", items, float64(bytes)/1e6,
		float64(items)/d.Seconds(), float64(bytes)/1e6/d.Seconds())
}
