package chain

import "syscall"

// maxRSS returns the peak of a process's memory in bytes; Linux counts kilobytes.
func maxRSS(u *syscall.Rusage) int64 { return int64(u.Maxrss) << 10 }

// attributes makes a stage end when this process does, however that ends: by
// SIGTERM, on which a tool removes what it has half written.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
