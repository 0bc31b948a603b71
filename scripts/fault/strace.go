//go:build linux

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"sync"
)

// traced returns the command under strace(1), which does something to the nth
// call of a set in each thread: signal=9, or error=ENOSPC.
func traced(c command, set, what string, n int) (command, error) {
	if err := mayTrace(); err != nil {
		return c, notTried{err.Error(), !errors.Is(err, exec.ErrNotFound)}
	}
	c.wrap = []string{"strace", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null",
		"-e", "trace=" + set, "-e", fmt.Sprintf("inject=%s:%s:when=%d", set, what, n)}
	return c, nil
}

// mayTrace tells once whether strace is there and may trace.
var mayTrace = sync.OnceValue(func() error {
	if err := exec.Command("strace", "-f", "-o", "/dev/null", "true").Run(); err != nil {
		return fmt.Errorf("strace: %w", err)
	}
	return nil
})
