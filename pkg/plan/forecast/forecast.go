// Package forecast says what a search for near-duplicates in parts will take, from a sample of
// the data: pairs, bytes, memory, processor and time. It knows the steps that package parts
// prints, and does arithmetic only: doppel-cluster(7) has its formulas.
package forecast

import "math"

// Data is what is known or estimated of a dataset.
type Data struct {
	Bytes, Files, Records float64
	Batches               float64 // of files, each read by one task
	Line                  float64 // bytes of the line that carries the text of a record
	ID                    float64 // bytes of an id, file:ordinal
	Bands                 float64 // keys of a record
	KeyBytes              float64 // of a key, compressed
	Pairs
}

// Costs are seconds of one processor, and bytes of memory, as measured on a sample.
type Costs struct {
	Begin  float64 // of a task, with one part, before it reads anything
	Keys   float64 // of a byte of the data, signed; its keys are written
	Pair   float64 // of a key, paired
	Scan   float64 // of a byte of the data that is read for texts
	Fetch  float64 // of a byte of a text that is fetched
	Load   float64 // of a byte of a text that is compared
	Score  float64 // of a pair that is compared
	Decide float64 // of a pair that is decided
	Rank   float64 // of a byte of the data that decisions read, as for the longest text
	Apply  float64 // of a byte of the data to which decisions are applied
}

// Limits are the bounds on memory of the stages that have one, in bytes.
type Limits struct{ Pairs, Scores float64 }

// A Cluster is machines that share a directory.
type Cluster struct{ Machines, Cores, Parts int }

// A Step is one step of the makefile.
type Step struct {
	Name    string  `json:"step"`
	Tasks   float64 `json:"tasks"`
	Seconds float64 `json:"processor_seconds"` // of all tasks together
	Wall    float64 `json:"wall_seconds"`
	Memory  float64 `json:"memory_bytes"`  // of a task
	Scratch float64 `json:"scratch_bytes"` // that it leaves
	Spilled float64 `json:"spilled_bytes"` // beyond its memory, of a task while it runs
}

// Constants that do not depend on the data, measured beside scripts/bench/plan and rounded.
const (
	together        = 1.15     // times what filters take alone, if some run beside each other
	beginTarget     = 2.2      // times what its filters take to begin: the shell of a target and its commands
	nearSeconds     = .25e-9   // a byte of a text, if most of its shingles are in the other one, too
	decisionSeconds = 1e-6     // to deal out a decision
	lineSeconds     = 1.5e-6   // to sort, join and deal out a line of pairs
	processMemory   = 24 << 20 // of a filter that holds nothing
	threadMemory    = 24 << 20 // of a thread that makes keys, at most
	heldLines       = 3        // bytes of a byte of the lines of the keys of a batch, at most
	keyMemory       = 68       // bytes of a key in keypairs, with its line
	heldShare       = .6       // of the bound on its memory that keypairs takes at most
	textMemory      = 1.1      // bytes of a byte of text in jaccard
	recordMemory    = 45       // bytes of a record in pairs in dupgroup
	partSeconds     = .0002    // of a part of a batch: a stream that is compressed and decompressed
	spilledLine     = 1.3      // bytes of a byte of the line of a key in keypairs
	keyHead         = 34       // bytes of the line of a key before its id
	scoreTail       = 28       // bytes of the line of a scored pair behind its ids
	decisionTail    = 24       // bytes of the line of a decision beside its ids
	partBytes       = 2 << 30  // of the lines of keys in a part
	mostParts       = 1000
)

// Parts returns how many parts are good for the data: of 2 GiB of keys at most, since a part
// is held on one machine, and enough that no core waits.
func (d *Data) Parts(c Cluster) int {
	bytes := d.Records * d.Bands * (keyHead + d.ID)
	return int(min(mostParts, max(math.Ceil(bytes/partBytes), float64(c.Machines*c.Cores))))
}

// Steps returns the steps that the data takes on a cluster, in their order.
func Steps(d *Data, k *Costs, m Limits, c Cluster) []Step {
	parts, batches := float64(c.Parts), d.Batches
	keys, pair := d.Records*d.Bands, 2*d.ID+2
	lines := keys * (keyHead + d.ID) // of keys, before they are compressed
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
		case "keys", "texts", "kept", "scores": // whose filters run a thread a core
			cores = min(cores, s.Tasks*float64(c.Cores))
		default:
			cores = s.Tasks / math.Ceil(s.Tasks/cores)
		}
		s.Wall = s.Seconds / cores
	}
	return all
}

// A Total is what all steps take together.
type Total struct {
	Seconds, Wall float64
	Memory        float64 // of the largest task
	Scratch       float64 // that is left by all
	Each          float64 // the same on each machine, with what its tasks spill at a time
}

// Sum returns the total of the steps on a cluster.
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
