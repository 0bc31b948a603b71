package tui

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"doppel/pkg/best"
	"doppel/pkg/front/measure"
	"doppel/pkg/record"
	"doppel/pkg/text"
)

// The sample is runs of records, drawn from all: copies stand near each other more often
// than not, so runs have more of them than as many single records. Of a run no more is
// taken than its share of what can be compared in a second.
const (
	runs    = 20
	runOf   = 100     // records
	runSize = 1 << 20 // bytes
)

// lowest is the lowest threshold for which a sample says what it would drop.
const lowest = 0.5

// A Sample is what a job would drop of some records. Of copies that are far apart in a
// large dataset it has few, so for duplicates it is a lower bound.
type Sample struct {
	Records int
	Total   int64          // records that it was drawn from
	pairs   []measure.Pair // of similarity lowest or more
	equal   int            // records of which an earlier one has the same text
	judged  drops
}

// Drops returns how many records a job drops: as dupgroup does, one that is similar to
// an earlier one that is kept.
func (s *Sample) Drops(j Job, threshold float64) (n int) {
	switch j {
	case Exact:
		return s.equal
	case Filter:
		return s.judged.dropped
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

// A stretch is a run of records that follow each other.
type stretch struct {
	draw  uint64
	first int64 // its number
	texts [][]byte
	size  int
}

// drawn reads all records and returns the texts of some runs, in order, and how many
// records there are. A batch without any of them is not decoded.
func drawn(files []string, opt record.Options) (all [][]byte, total int64, err error) {
	rd, err := record.NewReader(record.Input{Names: files, Stdin: strings.NewReader("")}, opt)
	if err != nil {
		return nil, 0, err
	}
	held := best.List[*stretch]{Size: runs, Compare: func(a, b *stretch) int { return cmp.Compare(a.draw, b.draw) }}
	var open *stretch // the last one, if it is held
	for {
		var b record.Batch
		if rd.Next(&b) != nil { // the end, or what the run will tell
			break
		}
		decode := sync.OnceFunc(b.Decode)
		for i := range b.Records {
			if total%runOf == 0 {
				open = nil
				if one := (&stretch{draw: best.Draw(1, total/runOf), first: total}); held.Takes(one) {
					held.Add(one)
					open = one
				}
			}
			if total++; open == nil || open.size >= runSize {
				continue
			}
			decode()
			r := &b.Records[i]
			if r.Err != nil {
				return nil, 0, r.Err
			}
			open.texts, open.size = append(open.texts, bytes.Clone(r.Text)), open.size+len(r.Text)
		}
	}
	slices.SortFunc(held.All, func(a, b *stretch) int { return cmp.Compare(a.first, b.first) })
	for _, one := range held.All {
		all = append(all, one.texts...)
	}
	return all, total, nil
}

// newSample compares all texts with each other.
func newSample(all [][]byte, jobs int) *Sample {
	s := &Sample{Records: len(all), Total: int64(len(all))}
	seen := map[string]bool{}
	for _, one := range all {
		if seen[string(one)] {
			s.equal++
		}
		seen[string(one)] = true
	}
	s.pairs = measure.Pairs(measure.Sets(all, text.Default), lowest, max(1, jobs))
	return s
}
