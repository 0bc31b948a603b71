//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// cgroupTrials run what has --mem in a control group of as much as is promised, and
// each chain in one of too little, where the kernel kills some process of it.
func cgroupTrials() (trials []trial) {
	for _, e := range eaters {
		trials = append(trials, trial{"memory/cgroup/mem/" + e.name, func(r *room) error { return e.inGroup(r, 16) }})
	}
	for _, j := range chains {
		trials = append(trials, trial{"memory/cgroup/oom/" + j.name, func(r *room) error { return j.killed(r, syscall.SIGKILL, inGroup(64)) }})
	}
	return trials
}

// inGroup holds a run to ending in a group of the memory that is promised.
func (e eater) inGroup(r *room, mib int) error {
	c, err := e.command(r, mib)
	if err != nil {
		return err
	}
	o, err := inGroup(mib*14/10+e.overhead)(r, c, 0)
	if err == nil {
		err = o.succeeded()
	}
	return err
}

// inGroup runs a command in a group of its own, whose processes may have so many MiB.
func inGroup(mib int) harm {
	return func(r *room, c command, took time.Duration) (o outcome, err error) {
		parent, err := groupsBelow()
		if err != nil {
			return o, notTried{err.Error(), true}
		}
		dir := filepath.Join(parent, filepath.Base(r.dir))
		if err := os.Mkdir(dir, 0o755); err != nil {
			return o, notTried{"no control group can be made: " + errors.Unwrap(err).Error(), true}
		}
		defer os.Remove(dir)
		for name, value := range map[string]string{"memory.max": fmt.Sprint(mib << 20), "memory.swap.max": "0"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(value), 0o644); err != nil && !errors.Is(err, os.ErrNotExist) {
				return o, err
			}
		}
		return wrapped("bash", "-c", `echo $$ > "$0/cgroup.procs" && exec "$@"`, dir)(r, c, took)
	}
}

// groupsBelow returns where groups that limit memory may be made.
var groupsBelow = sync.OnceValues(func() (string, error) {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return "", err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	return limiting(string(mounts), string(own))
})

// limiting returns the nearest group of version 2, from the own one up, whose children have
// the controller of memory.
func limiting(mounts, own string) (string, error) {
	none := errors.New("no control group of version 2 here limits the memory of others")
	root, path := "", ""
	for line := range strings.Lines(mounts) {
		if f := strings.Fields(line); len(f) > 2 && f[2] == "cgroup2" {
			root = f[1]
		}
	}
	for line := range strings.Lines(own) {
		if p, ok := strings.CutPrefix(line, "0::"); ok {
			path = strings.TrimSpace(p)
		}
	}
	if root == "" {
		return "", none
	}
	for {
		dir := filepath.Join(root, path)
		controllers, _ := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
		if slices.Contains(strings.Fields(string(controllers)), "memory") {
			return dir, nil
		}
		if dir == root {
			return "", none
		}
		path = filepath.Dir(path)
	}
}
