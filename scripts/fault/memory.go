//go:build linux

package main

import (
	_ "embed"
	"fmt"
)

// commonOverhead is the memory in MiB that any tool may use besides --mem, as documented in
// doppel(7), for the Go runtime, buffers of each thread, and batches of lines.
const commonOverhead = 100

//go:embed testdata/memory.sh
var memoryInputs string

// memoryUsers lists tools with a --mem flag, each with an input that fills its memory and with its
// documented overhead in MiB.
var memoryUsers = []struct {
	name, args, input string // input: a function of testdata/memory.sh that prints the content of i/x
	overhead          int
}{
	{"recuniq", "recuniq --lines -d -o o/out i/x", "numbers", commonOverhead},
	{"recuniq-verify", "recuniq --lines --verify -d -o o/out i/x", "numbers", commonOverhead + 40}, // 10 bytes per record
	{"recuniq-count", "recuniq --lines -c -o o/out i/x", "numbers", commonOverhead + 128},          // 32 bytes per record
	{"lshpairs", "lshpairs -o o/out i/x", "signatures", commonOverhead},
	{"lshpairs-hot", "lshpairs -o o/out i/x", "similar", commonOverhead},
	{"keypairs", "keypairs -o o/out i/x", "keys", commonOverhead},
	{"keypairs-unsorted", "keypairs --unsorted -o o/out i/x", "keys", commonOverhead},
	{"simpairs", "simpairs --within 3 -o o/out i/x", "simhashes", commonOverhead},
	{"dupgroup", "dupgroup -o o/out i/x", "scored", commonOverhead + 24}, // 24 bytes per id
	{"jaccard", "jaccard --records i/many.jsonl -o o/out i/x", "pairs", commonOverhead},
	{"jaccgroup", "jaccgroup -t 0.8 --records i/many.jsonl -o o/out i/x", "pairs", commonOverhead},
	{"recsieve", "recsieve --decisions o/d -o o/out i/x", "texts", commonOverhead},
	{"dupspan", "dupspan --scan --records i/x -o o/out", "passages", commonOverhead},
	{"exact", "doppel exact --stats none --field text -o o/out i/x", "texts", commonOverhead},
	{"passages", "doppel passages --stats none -o o/out i/x", "passages", commonOverhead},
	{"measure", "doppel measure --sample 200 -o o/out i/x", "texts", commonOverhead},
	{"fuzzy", "doppel fuzzy --stats none -o o/out i/x", "texts", commonOverhead},
	{"groups", "doppel groups -o o/out i/x", "texts", commonOverhead},
	{"cut", "doppel cut --stats none --scores i/pairs -o o/out i/x", "decided", commonOverhead},
	{"audit", "doppel audit --decisions i/none --scores i/scores -o i/x i/x", "audited", commonOverhead},
}

// addMemory adds cases in which tools run with different values of --mem.
func addMemory(p *plan) {
	for _, m := range memoryUsers {
		for _, mib := range []int{1, 16, 64} {
			p.add(func(s *sandbox) error {
				s.copyInputs("many.jsonl")
				s.must(s.sh(memoryInputs + m.input + " > i/x").succeeded())
				// Uncollected garbage may take up another two fifths of --mem, and more if the garbage
				// collector gets no processor time, so a case fails if three runs take too much.
				promised := mib*14/10 + m.overhead
				o, peak := outcome{}, 0
				for range 3 {
					o, peak = s.runMeasured(command{args: withOptions(m.args, fmt.Sprintf("--mem=%dM", mib))})
					if o.status != 0 || peak <= promised {
						return o.succeeded()
					}
				}
				return fmt.Errorf("%d MiB at --mem %dM, in the last of three runs: want at most %d", peak, mib, promised)
			}, "memory/mem/%s/%dM", m.name, mib)
		}
	}
}
