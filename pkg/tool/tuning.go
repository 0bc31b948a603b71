package tool

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"syscall"
)

// This file adjusts the Go runtime, and gives the measurements that justify each setting. It also
// queries the operating system for the memory and the disk reads of the process.

// gcPercent is the percentage by which the heap may grow between collections. Go's default of 100
// would use more memory and save little time, because the largest objects of the tools are arrays
// without pointers, which the collector need not scan. GOGC in the environment takes precedence.
const gcPercent = 40

// gcSlack is the number of bytes by which even a small heap may grow between collections. Without
// it, jaccgroup on 16 MB of records spent a fifth of its time in repeated collections of a heap of
// 4 MB.
const gcSlack = 16 << 20

// A collection is an object to which nothing refers, so its finalizer runs at the next garbage
// collection. It contains a pointer, because the runtime may put a tiny object without pointers in
// the same block as live objects, and then its finalizer might never run.
type collection struct{ _ *byte }

// pacing calls pace once, because tests run many commands in one process.
var pacing sync.Once

// pace sets the percentage by which the heap may grow until the next collection, and arranges for
// the next collection to call pace again.
func pace(c *collection) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(growth(live[0].Value.Uint64()))
	runtime.SetFinalizer(c, pace)
}

// growth returns the percentage by which a heap with the given number of live bytes may grow.
func growth(live uint64) int {
	return max(gcPercent, int(gcSlack*100/max(live, gcSlack/4)))
}

// PeakMemory returns the maximum resident set size of the process so far, in bytes, or 0 if it is
// unknown.
func PeakMemory() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "linux" {
		return u.Maxrss << 10 // Linux reports kilobytes
	}
	return u.Maxrss
}
