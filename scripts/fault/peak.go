//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// measuring names the file to which the copy of this program that stands
// between the harness and a measured command writes its peak. Linux counts the
// memory of who starts a process to the peak of that process, and the harness
// has much; the copy has little.
const measuring = "DOPPEL_FAULT_PEAK"

// itself is this program.
const itself = "/proc/self/exe"

// measure runs a command, and returns its status.
func measure(file string, args []string) int {
	os.Unsetenv(measuring)
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.Run(); c.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "fault:", err)
		return 127
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	if err := os.WriteFile(file, fmt.Append(nil, usage.Maxrss>>10), 0o666); err != nil {
		return 127
	}
	if s := c.ProcessState.Sys().(syscall.WaitStatus); s.Signaled() {
		return 128 + int(s.Signal())
	}
	return c.ProcessState.ExitCode()
}

// measured runs a command and knows its peak.
func (r *room) measured(c command) outcome {
	file := r.path("peak")
	c.wrap = append([]string{itself}, c.wrap...)
	c.env = append(c.env, measuring+"="+file)
	o := r.run(c)
	var largest int
	fmt.Sscan(r.read("peak"), &largest)
	os.Remove(file)
	o.peak = max(o.peak, largest)
	return o
}
