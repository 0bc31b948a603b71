package tool

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
)

// This file holds all settings and queries of the process as a whole, and the figures that
// justify them.

// gcPercent is the growth of the heap between collections. Go's default of 100 would hold
// memory longer, and saves little, because the largest objects of tools are flat arrays,
// which cost the collector nothing. A GOGC in the environment wins.
const gcPercent = 40

// gcSlack is the growth always allowed. Jaccgroup over 16 MB of records spent a fifth of
// its time collecting a heap of 4 MB again and again.
const gcSlack = 16 << 20

// A collection is an unreachable object with a finalizer, which runs at the next collection. It
// has a pointer, because objects without pointers may share memory with live ones.
type collection struct{ _ *byte }

// pace sets the growth of the heap until the next collection, which calls pace again.
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

// coldBlocks is the number of blocks of 512 bytes read from disk at which a run is taken to
// wait for the disk.
const coldBlocks = 2048

// HaveRead counts files and bytes. If they turn out to come from disk, two threads per job may
// run from then on: a thread that waits for the disk blocks others until Go's monitor notices.
// On /usr/lib outside the page cache blockhash took 2.9 s without and 2.1 s with more threads;
// in the cache they would cost a twentieth of the processor's time.
func (e *Env) HaveRead(files int, bytes int64) {
	e.Progress.Add(files, bytes)
	var u syscall.Rusage
	if !e.cold && syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil && u.Inblock > coldBlocks {
		e.cold = true
		runtime.GOMAXPROCS(max(2*e.Jobs, runtime.GOMAXPROCS(0)))
	}
}

// PeakMemory returns the largest memory of the process so far, in bytes; 0 if unknown.
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
