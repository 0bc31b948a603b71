// Package forecast estimates the cost (pairs, bytes, memory, processor time and duration) of
// removing near-duplicates in parts. The estimates are computed from a sample of the data, for the
// steps that package parts prints. doppel-cluster(7) gives the formulas.
package forecast

import "math"

// Data holds known and estimated numbers about a dataset.
type Data struct {
	Bytes, Files, Records float64
	Batches               float64 // number of batches of files, each read by one task
	Line                  float64 // mean size of a line with a record's text, in bytes
	ID                    float64 // mean size of an id of the form file:ordinal, in bytes
	Bands                 float64 // number of keys per record
	KeyBytes              float64 // mean size of a key when compressed, in bytes
	Pairs
}

// Costs holds processor times in seconds, measured on a sample.
type Costs struct {
	Begin  float64 // time to run a task that has one part and no data
	Keys   float64 // time to sign data and write the keys, per byte of data
	Pair   float64 // time to find candidate pairs, per key
	Scan   float64 // time to read the data from which texts are fetched, per byte
	Fetch  float64 // additional time to fetch texts, per byte of text
	Load   float64 // time to load texts for comparison, per byte of text
	Score  float64 // time to compare texts, per pair
	Decide float64 // time to make decisions, per pair
	Rank   float64 // time to rank records for the decisions, per byte of data
	Apply  float64 // time to apply the decisions, per byte of data
}

// Limits are the memory limits of the pairing stage and the scoring stage, in bytes.
type Limits struct{ Pairs, Scores float64 }

// A Cluster is a set of machines that share a directory. Cores is the number of cores per machine,
// and Parts is the number of parts of the data.
type Cluster struct{ Machines, Cores, Parts int }

// A Step is the forecast for one step of the makefile.
type Step struct {
	Name    string  `json:"step"`
	Tasks   float64 `json:"tasks"`
	Seconds float64 `json:"processor_seconds"` // processor time of all tasks together
	Wall    float64 `json:"wall_seconds"`
	Memory  float64 `json:"memory_bytes"`  // per task
	Scratch float64 `json:"scratch_bytes"` // total size of the files that remain after the step
	Spilled float64 `json:"spilled_bytes"` // bytes of the spill files of one task while it runs
}

// These constants do not depend on the data. They were measured with scripts/bench/plan and
// rounded.
const (
	together        = 1.15     // factor by which concurrency increases the processor time of filters
	beginTarget     = 2.2      // a makefile target takes this multiple of Costs.Begin, because it runs a shell and several commands
	nearSeconds     = .25e-9   // seconds to compare two texts that share most shingles, per byte of one text
	decisionSeconds = 1e-6     // seconds to distribute a decision
	lineSeconds     = 1.5e-6   // seconds to sort, join and distribute the line of a pair
	processMemory   = 24 << 20 // bytes of memory that a filter needs in addition to its data
	threadMemory    = 24 << 20 // maximum memory of a thread that makes keys, in bytes
	heldLines       = 3        // maximum memory that a task needs to make keys, in bytes per byte of key lines
	keyMemory       = 68       // bytes of memory that keypairs needs per key, including the key's line
	heldShare       = .6       // keypairs uses at most this share of its memory limit
	textMemory      = 1.1      // bytes of memory that jaccard needs per byte of text
	recordMemory    = 45       // bytes of memory that dupgroup needs per record that is in a pair
	partSeconds     = .0002    // additional seconds to compress and decompress keys, per part and batch
	spilledLine     = 1.3      // bytes that keypairs spills per byte of key lines
	keyHead         = 34       // number of bytes before the id on a key line
	scoreTail       = 28       // number of bytes after the ids on the line of a scored pair
	decisionTail    = 24       // number of bytes on the line of a decision, not counting the ids
	partBytes       = 2 << 30  // maximum size of the key lines in a part, in bytes
	mostParts       = 1000
)

// Parts returns a suitable number of parts for the data, at most 1000. Within that limit, there is
// at least one part per core, and no part has more than 2 GiB of keys, because each part is
// processed on one machine.
func (d *Data) Parts(c Cluster) int {
	bytes := d.Records * d.Bands * (keyHead + d.ID)
	return int(min(mostParts, max(math.Ceil(bytes/partBytes), float64(c.Machines*c.Cores))))
}

// Steps returns the forecast for each step of a run on a cluster, in the order of the steps.
func Steps(d *Data, k *Costs, m Limits, c Cluster) []Step {
	parts, batches := float64(c.Parts), d.Batches
	keys, pair := d.Records*d.Bands, 2*d.ID+2
	lines := keys * (keyHead + d.ID) // bytes of all key lines, uncompressed
	reading := max(processMemory, processMemory/2+min(threadMemory*float64(c.Cores), heldLines*lines/batches))
	texts := d.Paired * d.Copies * d.Line * d.Length
	all := []Step{{
		Name: "keys", Tasks: batches, Seconds: d.Bytes*k.Keys + batches*parts*partSeconds, Memory: reading, Scratch: keys * d.KeyBytes,
	}, {
		Name: "pairs", Tasks: parts, Seconds: keys * k.Pair, Memory: processMemory + min(keyMemory*keys/parts, heldShare*m.Pairs),
		Scratch: d.Lines * pair, Spilled: max(0, spilledLine*lines/parts-m.Pairs/2),
	}, {
		Name: "bins", Tasks: 1, Seconds: d.Lines * lineSeconds, Memory: processMemory, Scratch: d.Candidates*pair + d.Paired*d.Copies*(d.ID+3),
	}, {
		Name: "texts", Tasks: batches, Seconds: d.Bytes*k.Scan + texts*k.Fetch, Memory: processMemory, Scratch: texts + d.Paired*d.Copies*(d.ID+1),
	}, {
		Name: "scores", Tasks: parts, Seconds: texts*k.Load + d.Candidates*(k.Score+nearSeconds*d.Line*d.Length), Memory: processMemory + min(textMemory*texts/parts, m.Scores),
		Scratch: d.Candidates * (pair + scoreTail), Spilled: max(0, textMemory*texts/parts-m.Scores),
	}, {
		Name: "decisions", Tasks: 1, Seconds: d.Candidates*k.Decide + d.Bytes*k.Rank + d.Paired*decisionSeconds, Memory: processMemory + recordMemory*d.Paired, Scratch: 2 * d.Paired * (d.ID + decisionTail),
	}, {
		Name: "kept", Tasks: batches, Seconds: d.Bytes * k.Apply, Memory: processMemory,
	}}
	for i := range all {
		s := &all[i]
		s.Seconds = together*s.Seconds + s.Tasks*k.Begin*beginTarget
		cores := float64(c.Machines * c.Cores)
		switch s.Name {
		case "keys", "texts", "kept", "scores": // the filters of these steps run one thread per core
			cores = min(cores, s.Tasks*float64(c.Cores))
		default:
			cores = s.Tasks / math.Ceil(s.Tasks/cores)
		}
		s.Wall = s.Seconds / cores
	}
	return all
}

// A Total sums up the forecasts for all steps.
type Total struct {
	Seconds, Wall float64
	Memory        float64 // bytes of memory that the largest task needs
	Scratch       float64 // total size of the files that remain after all steps, in bytes
	Each          float64 // scratch bytes per machine, including the spill files of tasks that run at the same time
}

// Sum adds up the forecasts for the steps of a run on a cluster.
func Sum(steps []Step, c Cluster) (t Total) {
	spilled := 0.0
	for _, s := range steps {
		t.Seconds, t.Wall, t.Scratch = t.Seconds+s.Seconds, t.Wall+s.Wall, t.Scratch+s.Scratch
		t.Memory = max(t.Memory, s.Memory)
		spilled = max(spilled, s.Spilled*min(float64(c.Cores), math.Ceil(s.Tasks/float64(c.Machines))))
	}
	t.Each = t.Scratch/float64(c.Machines) + spilled
	return t
}
