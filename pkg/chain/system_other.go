//go:build !linux

package chain

import "syscall"

// maxRSS returns the peak of a process's memory in bytes.
func maxRSS(u *syscall.Rusage) int64 { return int64(u.Maxrss) }

// attributes: only Linux ends a process with its parent.
func attributes() *syscall.SysProcAttr { return nil }

// await: only Linux tells that a process has ended without taking that from others.
func await(int) {}
