package tui

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"doppel/pkg/measure"
	"doppel/pkg/record"
	"doppel/pkg/text"
	"doppel/pkg/topk"
)

// The sample consists of runs of consecutive records, drawn from the whole dataset. Copies are
// usually near each other, so runs contain more copies than the same number of single records
// would. The size of a run is limited, so that comparing all pairs of records in the sample takes
// no more than a second.
const (
	runs    = 20
	runOf   = 100     // records per run
	runSize = 1 << 20 // number of bytes of text after which no more records are added to a run
)

// lowest is the lowest threshold for which a sample counts the dropped records.
const lowest = 0.5

// A Sample tells how many of the sampled records a job would drop. If the copies in a large dataset
// are far apart, few of them are in the sample, so the share of duplicates is a lower bound for the
// whole dataset.
type Sample struct {
	Records int
	Total   int64          // number of records from which the sample was drawn
	pairs   []measure.Pair // pairs whose similarity is at least the lowest threshold
	equal   int            // number of records with the same text as an earlier record
	judged  drops
}

// Drops returns the number of records that job j would drop from the sample. As in dupgroup, a
// record is dropped if it is similar to an earlier kept record.
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

// A drawnRun is a run of consecutive records in the sample.
type drawnRun struct {
	draw  uint64
	first int64 // number of the run's first record, counted over the whole dataset
	texts [][]byte
	size  int
}

// drawn reads all records. It returns the texts of the drawn runs, in input order, and the total
// number of records. It does not decode a batch without drawn records.
func drawn(files []string, opt record.Options) (all [][]byte, total int64, err error) {
	rd, err := record.NewReader(record.Input{Names: files, Stdin: strings.NewReader("")}, opt)
	if err != nil {
		return nil, 0, err
	}
	held := topk.List[*drawnRun]{Size: runs, Compare: func(a, b *drawnRun) int { return cmp.Compare(a.draw, b.draw) }}
	var open *drawnRun // the current run, or nil if it is not drawn
	for {
		var b record.Batch
		if rd.Next(&b) != nil { // stop at the end, or at an error, which the job will report
			break
		}
		decode := sync.OnceFunc(b.Decode)
		for i := range b.Records {
			if total%runOf == 0 {
				open = nil
				if one := (&drawnRun{draw: topk.Draw(1, total/runOf), first: total}); held.Takes(one) {
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
	slices.SortFunc(held.All, func(a, b *drawnRun) int { return cmp.Compare(a.first, b.first) })
	for _, one := range held.All {
		all = append(all, one.texts...)
	}
	return all, total, nil
}

// newSample returns a Sample of the given texts. It compares every pair of texts.
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
