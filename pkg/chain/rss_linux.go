package chain

import "syscall"

// maxRSS returns the peak of a process's memory in bytes; Linux counts kilobytes.
func maxRSS(u *syscall.Rusage) int64 { return int64(u.Maxrss) << 10 }
