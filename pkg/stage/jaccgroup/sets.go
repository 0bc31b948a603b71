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

// partitions is the number of partitions among which the connected components are divided.
const partitions = 1024

// sets holds the shingle sets of the records. Its slices are indexed by id number. Records that are
// connected by candidate pairs have their sets in the same partition.
type sets struct {
	parts *spill.Partitions
	part  []uint16 // partition of each set
	at    []int64  // position of each set in its partition
	size  []int32  // number of elements of each set
	sum   []uint64 // sum of the elements of each set; equal sets have equal sums

	codesOnce sync.Once
	code      []int32 // code of each set, as described at noCode; nil until a code is needed
}

// readSets reads the sets of the records that the pairs name. It assigns the connected components
// of the pairs to partitions so that each partition has about the same number of records, unless a
// component is larger than that.
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
