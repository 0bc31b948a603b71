package chain

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxRSS returns the peak of a process's memory in bytes; Linux counts kilobytes.
func maxRSS(u *syscall.Rusage) int64 { return int64(u.Maxrss) << 10 }

// attributes makes a stage end when this process does, however that ends: by
// SIGTERM, on which a tool removes what it has half written.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }

// await waits until a process has ended, and leaves it to be waited for by others,
// who may have done so already.
func await(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
