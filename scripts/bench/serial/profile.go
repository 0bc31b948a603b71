package main

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// A step holds the processor seconds of one step of a command: of each goroutine that does its work
// alone, by name, and of all goroutines together.
type step struct {
	name   string
	serial map[string]float64
	all    float64
}

// shared lists the functions that several goroutines run at once. All other goroutines of a stage
// are alone in what they do, so more cores do not make them faster.
var shared = []string{"par.begin.func1", "write.(*parts).encodePiece.func2", "record.(*aheadReader).cutPieces.func1", "runtime."}

// divided is the function in which a goroutine divides its work among others.
const divided = "par.Each"

// readSteps returns the steps of a profile, the longest first. Package plan labels the goroutines of
// a step and of a stage.
func readSteps(p *profile.Profile) []step {
	steps := map[string]*step{}
	nanoseconds := len(p.SampleType) - 1
	for _, s := range p.Sample {
		name := strings.Join(s.Label["step"], "")
		if steps[name] == nil {
			steps[name] = &step{name: name, serial: map[string]float64{}}
		}
		seconds := float64(s.Value[nanoseconds]) / 1e9
		steps[name].all += seconds
		if doer := nameGoroutine(s); doer != "" {
			if stage := s.Label["stage"]; stage != nil {
				doer = stage[0] + ": " + doer
			}
			steps[name].serial[doer] += seconds
		}
	}
	sorted := slices.Collect(maps.Values(steps))
	slices.SortFunc(sorted, func(a, b *step) int { return cmp.Or(cmp.Compare(b.all, a.all), cmp.Compare(a.name, b.name)) })
	var all []step
	for _, s := range sorted {
		all = append(all, *s)
	}
	return all
}

// nameGoroutine returns what the goroutine of a sample does alone, or "" if several goroutines do
// the same.
func nameGoroutine(s *profile.Sample) string {
	calls := make([]string, 0, 2) // the functions with which the goroutine began
	for _, at := range slices.Backward(s.Location) {
		name := nameFunction(at.Line[len(at.Line)-1].Function.Name)
		if strings.HasPrefix(name, divided) {
			return ""
		}
		if name != "runtime.goexit" && !strings.HasPrefix(name, "sync.(*WaitGroup).Go") && len(calls) < cap(calls) {
			calls = append(calls, name)
		}
	}
	switch {
	case len(calls) == 0: // the goroutine is about to begin or to end
		return ""
	case calls[0] == "runtime.main", strings.HasPrefix(calls[0], "plan."):
		return "emit"
	case slices.ContainsFunc(shared, func(prefix string) bool { return strings.HasPrefix(calls[0], prefix) }):
		return ""
	case calls[0] == "par.begin.func2" && len(calls) > 1:
		return "read by " + calls[1]
	case strings.HasPrefix(calls[0], "par.Settled."):
		return "settle"
	}
	return calls[0]
}

// typeArguments matches the type arguments in the name of a function.
var typeArguments = regexp.MustCompile(`\[.*\]`)

// nameFunction returns the name of a function without type arguments and without the directories
// of its package.
func nameFunction(name string) string {
	name = typeArguments.ReplaceAllString(name, "")
	return name[strings.LastIndex(name, "/")+1:]
}

// longest returns the name and the seconds of the goroutine that works longest alone in a step.
func (s *step) longest() (name string, seconds float64) {
	for _, n := range slices.Sorted(maps.Keys(s.serial)) {
		if s.serial[n] > seconds {
			name, seconds = n, s.serial[n]
		}
	}
	return name, seconds
}

// forecast returns the seconds of a run on a number of cores.
func forecast(steps []step, cores int) (seconds float64) {
	for _, s := range steps {
		_, serial := s.longest()
		seconds += max(serial, s.all/float64(cores))
	}
	return seconds
}
