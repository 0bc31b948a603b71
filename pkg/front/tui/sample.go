package tui

import (
	"slices"
	"strings"

	"doppel/pkg/jaccard"
	"doppel/pkg/measure"
	"doppel/pkg/record"
	"doppel/pkg/text"
)

// sampled and sampledBytes bound the sample: it is the first records, which takes no
// more than a second, where a sample of all would read all.
const (
	sampled      = 2000
	sampledBytes = 16 << 20
)

// lowest is the lowest threshold for which a sample says what it would drop.
const lowest = 0.5

// A Sample is what a job would drop of the first records. Of records that are spread
// over a large dataset it has few copies, so it is a lower bound.
type Sample struct {
	Records int
	pairs   []measure.Pair // of similarity lowest or more
	equal   int            // records of which an earlier one has the same text
}

// Drops returns how many records a job drops: as dupgroup does, one that is similar to
// an earlier one that is kept.
func (s *Sample) Drops(j Job, threshold float64) (n int) {
	if j == Exact {
		return s.equal
	}
	dropped := map[uint32]bool{}
	pairs := slices.Clone(s.pairs)
	slices.SortFunc(pairs, func(p, q measure.Pair) int { return int(p.B) - int(q.B) })
	for _, p := range pairs {
		if p.Similarity >= threshold && !dropped[p.A] {
			dropped[p.B] = true
		}
	}
	return len(dropped)
}

func (w *worker) Sample(s Setup) (*Sample, error) {
	records := s.fuzzy().Sign.Records
	rd, err := record.NewReader(record.Input{Names: s.Files, Stdin: strings.NewReader("")}, records)
	if err != nil {
		return nil, err
	}
	var all [][]byte
	for size := 0; len(all) < sampled && size < sampledBytes; {
		var b record.Batch
		if err := rd.Next(&b); err != nil {
			break // the end, or what the run will tell
		}
		b.Decode()
		for _, r := range b.Records[:min(len(b.Records), sampled-len(all))] {
			if r.Err != nil {
				return nil, r.Err
			}
			all, size = append(all, r.Text), size+len(r.Text)
		}
	}
	return newSample(all, w.jobs), nil
}

// newSample compares all texts with each other.
func newSample(all [][]byte, jobs int) *Sample {
	s := &Sample{Records: len(all)}
	shingler, seen := text.NewShingler(text.Default), map[string]bool{}
	sets := make([][]uint64, len(all))
	var work, tmp []uint64
	for i, one := range all {
		if seen[string(one)] {
			s.equal++
		}
		seen[string(one)] = true
		work = shingler.Append(work[:0], one)
		work, tmp = jaccard.Set(work, tmp)
		sets[i] = slices.Clone(work)
	}
	s.pairs = measure.Pairs(sets, lowest, max(1, jobs))
	return s
}
