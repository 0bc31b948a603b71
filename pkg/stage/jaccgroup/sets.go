package jaccgroup

import (
	"slices"
	"sync"

	"doppel/pkg/group"
	"doppel/pkg/spill"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/pairsets"
	"doppel/pkg/tool"
)

// partitions is the number of parts among which the components are distributed.
const partitions = 1024

// sets holds the shingle sets of the records, by the numbers of their ids. The sets of a
// component of the candidate pairs are in one partition.
type sets struct {
	parts *spill.Partitions
	part  []uint16 // the partition of each
	at    []int64  // its position there
	size  []int32
	sum   []uint64 // of the hashes; equal sets have the same sum

	codesOnce sync.Once
	code      []int32 // the code of each, in the codes of its partition; made when first needed
}

// readSets reads the sets of the records that the pairs name. It distributes the components
// of the pairs to partitions with about equal numbers of records, as far as the components
// allow.
func readSets(e *tool.Env, o *Options, p *pairsets.Pairs) (*sets, error) {
	n := p.IDs.Len()
	f := group.NewForest(n)
	if err := p.Each(func(a, b uint32) error { f.Join(a, b); return nil }); err != nil {
		return nil, err
	}
	members := make([]uint32, n)
	for i := range f {
		members[f.Root(uint32(i))]++
	}
	s := &sets{
		parts: spill.NewPartitions(partitions, int64(e.Mem)*3/8),
		part:  make([]uint16, n), at: make([]int64, n), size: slices.Repeat([]int32{dupgroup.NoSize}, n), sum: make([]uint64, n),
	}
	before := 0
	for i := range f { // the root of a component is its first record
		if root := f.Root(uint32(i)); root != uint32(i) {
			s.part[i] = s.part[root]
			continue
		}
		s.part[i] = uint16(before * partitions / n)
		before += int(members[i])
	}
	err := p.Sets(e, o.Score.Texts(), func(number uint32, set []uint64) (err error) {
		s.at[number], err = s.parts.Add(int(s.part[number]), set)
		s.size[number] = int32(len(set))
		sum := uint64(0)
		for _, hash := range set {
			sum += hash
		}
		s.sum[number] = sum
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, p.Missing(func(number uint32) bool { return s.size[number] != dupgroup.NoSize }, "records")
}
