//go:build linux

package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"time"
)

//go:embed testdata/hostile.sh
var hostileFunctions string

// addHostile adds cases with data designed to take much time or memory.
func addHostile(p *plan) {
	for _, bomb := range scripts("hostile") {
		p.add(func(s *sandbox) error {
			if bomb.measure(s) == nil {
				return nil
			}
			return bomb.measure(s) // try again, because other work on the machine affects the time
		}, "hostile/%s", bomb.name)
	}
}

// A cost holds the input size of a run in bytes, its peak memory in MiB, and its processor time.
type cost struct {
	bytes, peak int
	cpu         time.Duration
}

// measure compares the cost of an input with the cost of an input twice as large: linear cost
// doubles, quadratic cost quadruples. It returns an error if the cost grows too fast.
func (bomb script) measure(s *sandbox) error {
	var costs [2]cost
	data, reads, _ := strings.Cut(bomb.text, "\n")
	var size, times int
	fmt.Sscan(bomb.inputs, &size)
	fmt.Sscan(bomb.subject, &times)
	s.copyInputs("few.jsonl")
	for i := range costs {
		s.must(s.sh(fmt.Sprintf("%s\nN=%d; { %s; } > i/x", hostileFunctions, size<<i, data)).succeeded())
		info, err := os.Stat(s.path("i/x"))
		s.must(err)
		o, peak := s.runMeasured(command{args: []string{"bash", "-c", reads}, most: 2 << 10})
		costs[i] = cost{max(int(info.Size()), size<<i), peak, o.cpu}
		if times > 0 && peak > times*(costs[i].bytes>>20)+64 {
			return fmt.Errorf("%d MiB of memory for %d MiB of data", peak, costs[i].bytes>>20)
		}
	}
	return compare(costs[0], costs[1], bomb.subject == "square")
}

// compare compares two costs: that of processing some data, and that of processing twice as much.
// It returns an error if the time or the memory more than triples, or if the memory exceeds 1 GiB
// and also six times the data; if square is set, the time may increase fivefold. Small costs are
// not compared, because they are mostly the cost of starting a process.
func compare(one, two cost, square bool) error {
	const littleTime, littleMemory = time.Second, 200
	times := time.Duration(3)
	if square {
		times = 5
	}
	switch {
	case two.cpu > littleTime && two.cpu > times*max(one.cpu, littleTime/8):
		return fmt.Errorf("time grows faster than the data: %v and %v for twice as much", one.cpu, two.cpu)
	case two.peak > littleMemory && two.peak > 3*max(one.peak, littleMemory/4):
		return fmt.Errorf("memory grows faster than the data: %d and %d MiB for twice as much", one.peak, two.peak)
	case two.peak > 1<<10 && two.peak > 6*(two.bytes>>20):
		return fmt.Errorf("%d MiB of memory for %d MiB of data", two.peak, two.bytes>>20)
	}
	return nil
}
