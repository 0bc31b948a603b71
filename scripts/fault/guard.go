//go:build linux

package main

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A guard watches a run: it ends what hangs and what takes too much memory,
// before the machine does. How long a run may take is told by the processors' time and
// by the time in which none of its processes would run if it could, not by the clock:
// the machine may have other work.
type guard struct {
	hung, bloated bool
	peak          int           // MiB of all processes together, as far as it was seen
	worked, idle  time.Duration // of the processors; in which all of them waited
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

// glance is how often a run is looked at.
const glance = 100 * time.Millisecond

func (g *guard) watch(leader int, limit time.Duration, most int, ended <-chan struct{}) {
	defer close(g.done)
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
			g.look(session(leader), limit, most)
		}
		if g.hung || g.bloated {
			killAll(leader)
		}
	}
}

// look judges the processes of a run. One that waits for another run waits as long as
// that one is kept from the processor: three times as much is hanging.
func (g *guard) look(all []process, limit time.Duration, most int) {
	var worked time.Duration
	for _, p := range all {
		worked += p.worked
	}
	if worked <= g.worked && !slices.ContainsFunc(all, func(p process) bool { return !p.waits() }) {
		g.idle += glance
	}
	g.worked = max(g.worked, worked)
	g.hung = g.hung || worked > limit || g.idle > 3*limit
	held := resident(all)
	g.peak = max(g.peak, held)
	g.bloated = g.bloated || held > most
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
