//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A process is one of a session.
type process struct {
	pid    int
	name   string
	worked time.Duration // of the processors
}

func (p process) String() string { return fmt.Sprintf("%s %d", p.name, p.pid) }

// waits tells whether none of the threads would run if it could.
func (p process) waits() bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.pid))
	for _, file := range stats {
		text, _ := os.ReadFile(file)
		if f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])); len(f) > 0 && f[0] != "S" {
			return false
		}
	}
	return true
}

// clockTick is the unit of times in /proc.
const clockTick = 10 * time.Millisecond

// session returns the processes of a session that are alive.
func session(leader int) (all []process) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, _ := os.ReadFile(file)
		open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
		if open < 0 || end < 0 {
			continue // it has ended meanwhile
		}
		// pid (name) state parent group session …; the name may hold anything.
		f := strings.Fields(string(text[end+1:]))
		if len(f) > 3 && f[0] != "Z" && f[0] != "X" && f[3] == strconv.Itoa(leader) {
			pid, _ := strconv.Atoi(strings.TrimSpace(string(text[:open])))
			all = append(all, process{pid, string(text[open+1 : end]), worked(f)})
		}
	}
	return all
}

// worked returns the time of the user and of the system, which stand 11 and 12 behind
// the state.
func worked(f []string) (d time.Duration) {
	for _, at := range []int{11, 12} {
		if at < len(f) {
			n, _ := strconv.Atoi(f[at])
			d += time.Duration(n) * clockTick
		}
	}
	return d
}

// grace is how long processes may take to end after the one that was started;
// long, since the machine may have other work.
var grace = 10 * time.Second

// gone waits for a moment until a session has no processes, ends those that
// stay, and returns them.
func gone(leader int) (left []process) {
	for end := time.Now().Add(grace); ; time.Sleep(5 * time.Millisecond) {
		left = session(leader)
		if len(left) == 0 || time.Now().After(end) {
			break
		}
	}
	for _, p := range left {
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
	return left
}
