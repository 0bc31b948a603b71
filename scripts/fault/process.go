//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A process is one of a session.
type process struct {
	pid  int
	name string
}

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
			all = append(all, process{pid, string(text[open+1 : end])})
		}
	}
	return all
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

// A guard watches a run: it ends what hangs and what takes too much memory,
// before the machine does.
type guard struct {
	hung, bloated bool
	peak          int // MiB of all processes together, as far as it was seen
	done          chan struct{}
}

func watch(leader int, c command, ended <-chan struct{}) *guard {
	g := &guard{done: make(chan struct{})}
	limit, most := c.limit, c.most
	if limit == 0 {
		limit = hang
	}
	if most == 0 {
		most = heap
	}
	go g.watch(leader, limit, most, ended)
	return g
}

func (g *guard) watch(leader int, limit time.Duration, most int, ended <-chan struct{}) {
	defer close(g.done)
	end := time.After(limit)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-end:
			g.hung = true
		case <-tick.C:
			held := resident(session(leader))
			g.peak = max(g.peak, held)
			g.bloated = g.bloated || held > most
		}
		if g.hung || g.bloated {
			killAll(leader)
		}
	}
}

func killAll(leader int) {
	for _, p := range session(leader) {
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
}

// resident returns the MiB that processes hold of their own.
func resident(all []process) (sum int) {
	for _, p := range all {
		text, _ := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/statm")
		if f := strings.Fields(string(text)); len(f) > 2 {
			held, _ := strconv.Atoi(f[1])
			shared, _ := strconv.Atoi(f[2])
			sum += (held - shared) * os.Getpagesize() >> 20
		}
	}
	return sum
}
