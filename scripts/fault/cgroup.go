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
)

// cgroupTrials run what has --mem in a control group of as much as is promised, and
// each chain in one of too little, where the kernel kills some process of it.
func cgroupTrials() (trials []trial) {
	for _, e := range eaters {
		trials = append(trials, trial{"memory/cgroup/mem/" + e.name, func(r *room) error { return e.inGroup(r, 16) }})
	}
	for _, j := range chains {
		trials = append(trials, trial{"memory/cgroup/oom/" + j.name, func(r *room) error { return outOfMemory(r, j) }})
	}
	return trials
}

// inGroup holds a run to ending in a group of the memory that is promised.
func (e eater) inGroup(r *room, mib int) error {
	c, err := e.command(r, mib)
	if err != nil {
		return err
	}
	o, err := r.runWithin(c, mib*14/10+e.overhead)
	if err == nil && o.status != 0 {
		err = fmt.Errorf("status %d in a group of %d MiB: %s", o.status, mib*14/10+e.overhead, firstLines(o.stderr, 2))
	}
	return err
}

// outOfMemory holds a chain to an output that is whole or untouched.
func outOfMemory(r *room, j job) error {
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	o, err := r.runWithin(j.command(r), 64)
	if err != nil {
		return err
	}
	return j.survived(r, u, o, 9)
}

// runWithin runs a command in a group of its own, whose processes may have so much.
func (r *room) runWithin(c command, mib int) (o outcome, err error) {
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
	c.wrap = []string{"bash", "-c", `echo $$ > "$0/cgroup.procs" && exec "$@"`, dir}
	return r.run(c), nil
}

// groupsBelow returns where groups that limit memory may be made.
var groupsBelow = sync.OnceValues(func() (string, error) {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return "", err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	return limiting(string(mounts), string(own)), errors.Join(err, lacks(limiting(string(mounts), string(own))))
})

func lacks(dir string) error {
	if dir == "" {
		return errors.New("no control group of version 2 here limits the memory of others")
	}
	return nil
}

// limiting returns the nearest group of version 2, from the own one up, whose children have
// the controller of memory, or nothing.
func limiting(mounts, own string) string {
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
		return ""
	}
	for {
		dir := filepath.Join(root, path)
		controllers, _ := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
		if slices.Contains(strings.Fields(string(controllers)), "memory") {
			return dir
		}
		if dir == root {
			return ""
		}
		path = filepath.Dir(path)
	}
}
