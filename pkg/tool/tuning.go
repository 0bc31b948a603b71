package tool

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
)

// This file holds all that a run changes or asks of its process as a whole, and
// the figures that justify it.

// gcPercent is how much the heap grows before it is collected. Memory is
// returned to the system sooner than by Go's default of 100, because the largest
// things that tools hold are flat arrays that the collector passes over for
// nothing; a GOGC in the environment wins.
const gcPercent = 40

// gcSlack is how much a heap may grow in any case. Of the time of jaccgroup over
// 16 MB of records a fifth went into collecting a heap of 4 MB again and again.
const gcSlack = 16 << 20

// A collection is garbage that tells of the next collection, which finds it. It has
// a pointer, since what has none may share its memory with what lives on.
type collection struct{ _ *byte }

// pace sets by how much the heap may grow until the next collection, which will
// call it again.
func pace(c *collection) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(growth(live[0].Value.Uint64()))
	runtime.SetFinalizer(c, pace)
}

// growth returns the percentage by which a heap of live bytes may grow.
func growth(live uint64) int {
	return max(gcPercent, int(gcSlack*100/max(live, gcSlack/4)))
}

// coldBlocks is how many blocks of 512 bytes must come from disk before a run
// is taken to wait for it.
const coldBlocks = 2048

// HaveRead counts files and bytes. When they turn out to come from disk, two
// threads a job may run from then on: a thread that waits keeps others from
// running until Go's monitor has seen it wait. On /usr/lib out of the page
// cache blockhash took 2.9 s without and 2.1 s with them; in the cache they
// would cost a twentieth of the processor's time.
func (e *Env) HaveRead(files int, bytes int64) {
	e.Progress.Add(files, bytes)
	var u syscall.Rusage
	if !e.cold && syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil && u.Inblock > coldBlocks {
		e.cold = true
		runtime.GOMAXPROCS(max(2*e.Jobs, runtime.GOMAXPROCS(0)))
	}
}

// PeakMemory returns the most memory that the process has held, in bytes; 0 if unknown.
func PeakMemory() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "linux" {
		return u.Maxrss << 10 // Linux counts kilobytes
	}
	return u.Maxrss
}
