package tool

import (
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
)

// This file holds all that a run changes or asks of its process as a whole, and
// the figures that justify it.

// gcPercent is how much the heap grows before it is collected. Memory is
// returned to the system sooner than by Go's default of 100, because the largest
// things that tools hold are flat arrays that the collector passes over for
// nothing; a GOGC in the environment wins.
const gcPercent = 40

func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
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

// newFileMode returns the mode of a new file: what the umask leaves. It can only
// be asked for by setting it, so this is called while nothing else makes files.
func newFileMode() os.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return os.FileMode(0o666 &^ mask)
}
