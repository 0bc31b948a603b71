// Package forecast estimates the cost (pairs, bytes, memory, processor time and duration) of removing
// near-duplicates in parts, from two timed runs of the makefile that package parts prints: one on a
// sample of the data, and one on a few records. doppel-cluster(7) gives the formulas.
package forecast

import "math"

// A Frame says which part of a dataset a sample is.
type Frame struct {
	Files, Chosen float64 // number of files, and of those from which records were drawn
	Share         float64 // share of the records of these files that were drawn
	Bytes         float64 // size of the dataset divided by that of the sample, in bytes
}

// Pairs returns the number of pairs in the dataset, given those in the sample: of records in one file,
// and of records in two files. Each pair counts as the inverse of the probability that the sample has
// both of its records.
func (f Frame) Pairs(within, across float64) float64 {
	drawn := f.Share * f.Share
	pairs := within * f.Files / f.Chosen / drawn
	if f.Chosen > 1 {
		pairs += across * f.Files * (f.Files - 1) / (f.Chosen * (f.Chosen - 1)) / drawn
	}
	return pairs
}

// A Cluster is a set of machines that share a directory. Cores is the number of cores per machine,
// and Parts is the number of parts of the data.
type Cluster struct{ Machines, Cores, Parts int }

// A Trial holds what a step cost in the two timed runs.
type Trial struct {
	Name    string
	Tasks   float64 // number of tasks in each of the two runs
	Fixed   float64 // processor seconds of the run on a few records
	Seconds float64 // processor seconds of the run on the sample
	Scratch float64 // size of the files that the run on the sample left, in bytes
}

// A Growth says by which factor a step grows from the sample to the dataset.
type Growth struct {
	Tasks   float64 // number of tasks
	Work    float64 // factor of the processor time, without that for each task
	Scratch float64 // factor of the size of the files
	Memory  float64 // memory that a task needs for its data, in bytes
}

// ProcessMemory is the memory that a task needs besides its data, in bytes.
const ProcessMemory = 24 << 20

// A Step is the forecast for one step of the makefile.
type Step struct {
	Name    string  `json:"step"`
	Tasks   float64 `json:"tasks"`
	Seconds float64 `json:"processor_seconds"` // processor time of all tasks together
	Wall    float64 `json:"wall_seconds"`
	Memory  float64 `json:"memory_bytes"`  // per task
	Scratch float64 `json:"scratch_bytes"` // total size of the files that remain after the step
}

// Extrapolate returns the forecast for a step: the time of each task and of each byte or pair lies on
// the straight line through the two runs.
func Extrapolate(t Trial, g Growth, c Cluster) Step {
	s := Step{Name: t.Name, Tasks: g.Tasks, Scratch: t.Scratch * g.Scratch, Memory: ProcessMemory + g.Memory}
	s.Seconds = t.Fixed/t.Tasks*g.Tasks + max(0, t.Seconds-t.Fixed)*g.Work
	cores := float64(c.Machines * c.Cores)
	switch s.Name {
	case "keys", "texts", "kept", "scores": // the filters of these steps run one thread per core
		cores = min(cores, s.Tasks*float64(c.Cores))
	default:
		cores = s.Tasks / math.Ceil(s.Tasks/cores)
	}
	s.Wall = s.Seconds / cores
	return s
}

// partBytes is the maximum size of the key lines in a part, in bytes. They are processed on one machine.
const partBytes = 2 << 30

// Parts returns a suitable number of parts for key lines of the given total size in bytes, at most 1000:
// at least one part per core, and no part of more than 2 GiB.
func Parts(bytes float64, c Cluster) int {
	return int(min(1000, max(math.Ceil(bytes/partBytes), float64(c.Machines*c.Cores))))
}

// A Total sums up the forecasts for all steps.
type Total struct {
	Seconds, Wall float64
	Memory        float64 // bytes of memory that the largest task needs
	Scratch       float64 // total size of the files that remain after all steps, in bytes
}

// Sum adds up the forecasts for the steps of a run.
func Sum(steps []Step) (t Total) {
	for _, s := range steps {
		t.Seconds, t.Wall, t.Scratch = t.Seconds+s.Seconds, t.Wall+s.Wall, t.Scratch+s.Scratch
		t.Memory = max(t.Memory, s.Memory)
	}
	return t
}
