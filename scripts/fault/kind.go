//go:build linux

package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A kind is a family of faults. Its trials are made without running anything,
// in an order and under names that depend on nothing.
type kind struct {
	name   string
	about  string
	short  int // how many cases -short draws
	trials func() []trial
}

// A trial is one case: run does the harm and returns nil if the tools held.
type trial struct {
	name string // begins with that of the kind
	run  func(*room) error
}

var kinds = []kind{
	{"known", "the faults found before, one case or more each", 1 << 20, knownTrials},
	{"kill", "SIGKILL, SIGTERM, SIGINT at swept moments and at system calls", 150, killTrials},
	{"disk", "full disks, limits of files, system calls that fail", 200, diskTrials},
	{"power", "power cuts after each system call of a run, by a replay of its trace", 1 << 20, powerTrials},
	{"memory", "peak memory beside --mem, few descriptors, little address space", 60, memoryTrials},
	{"input", "cuts and flips of everything that is read", 500, inputTrials},
	{"race", "writers of one file, and files that change while they are read", 40, raceTrials},
	{"same", "the same bytes under any -j, GOMAXPROCS, LANG, TMPDIR, order of lines and shards", 60, sameTrials},
	{"operand", "names, fields and inputs that can be read once, and --print", 250, operandTrials},
	{"hostile", "data made to cost time or memory", 20, hostileTrials},
}

func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// chooseKinds returns the kinds of a list with commas; all, if it is empty.
func chooseKinds(list string) (chosen []kind, err error) {
	if list == "" {
		return kinds, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no kind %q; there are %s", name, strings.Join(kindNames(), ", "))
		}
		chosen = append(chosen, kinds[i])
	}
	return chosen, nil
}

// planAll returns the trials of the kinds that the options ask for.
func planAll(chosen []kind, o options, pattern *regexp.Regexp) (all []trial) {
	for _, k := range chosen {
		most := o.cases
		if o.short && (most == 0 || most > k.short) {
			most = k.short
		}
		all = append(all, draw(matching(k.trials(), pattern), most, o.seed)...)
	}
	return all
}

func matching(trials []trial, pattern *regexp.Regexp) []trial {
	return slices.DeleteFunc(trials, func(t trial) bool { return !pattern.MatchString(t.name) })
}

// draw returns at most n of the trials, all if n is 0, in their order: those whose
// names have the least numbers under the seed, so that new trials take the places of
// few that were drawn before.
func draw(trials []trial, n int, seed uint64) []trial {
	if n == 0 || n >= len(trials) {
		return trials
	}
	lots := map[string]uint64{}
	for _, t := range trials {
		lots[t.name] = seeded(seed, t.name).Uint64()
	}
	least := slices.Sorted(maps.Values(lots))[n-1]
	return slices.DeleteFunc(trials, func(t trial) bool { return lots[t.name] > least })
}

// seeded returns the random numbers that belong to a name.
func seeded(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
