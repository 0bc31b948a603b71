package front

import (
	"bufio"
	"cmp"
	"container/heap"
	"io"
	"slices"

	"doppel/pkg/jaccard"
	"doppel/pkg/line/cell"
	"doppel/pkg/record"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// A sample is records chosen without looking at them: those whose ordinals
// have the smallest hashes. The same data give the same sample, and a larger
// one holds a smaller one.
type sample struct {
	size int
	all  []drawnRecord // a heap, the largest hash first, until it is sorted
	seen int64
}

type drawnRecord struct {
	hash     uint64
	ordinal  int64
	id, text []byte
}

func (s *sample) Len() int           { return len(s.all) }
func (s *sample) Less(i, j int) bool { return s.all[i].hash > s.all[j].hash }
func (s *sample) Swap(i, j int)      { s.all[i], s.all[j] = s.all[j], s.all[i] }
func (s *sample) Push(x any)         { s.all = append(s.all, x.(drawnRecord)) }
func (s *sample) Pop() any           { panic("the sample only grows") }

// add considers a record, whose bytes it copies if it takes it.
func (s *sample) add(rec *record.Record) {
	s.seen++
	h := scatter(uint64(rec.Ordinal))
	full := len(s.all) == s.size
	if full && h >= s.all[0].hash {
		return
	}
	one := drawnRecord{h, rec.Ordinal, slices.Clone(rec.ID), slices.Clone(rec.Text)}
	if !full {
		heap.Push(s, one)
		return
	}
	s.all[0] = one
	heap.Fix(s, 0)
}

// scatter is the finalizer of splitmix64.
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// takeSample reads all records and keeps a sample, in the order of the input.
func takeSample(e *tool.Env, args []string, size int) (*sample, error) {
	rd, err := record.NewReader(e.Input(args), e.Records)
	if err != nil {
		return nil, err
	}
	s := &sample{size: size}
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		s.add(rec)
		return nil
	})
	slices.SortFunc(s.all, func(a, b drawnRecord) int { return cmp.Compare(a.ordinal, b.ordinal) })
	return s, err
}

// write writes the sample as JSON lines that have nothing but the text.
func (s *sample) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	var object []byte
	for _, one := range s.all {
		object = cell.AppendJSON(append(object[:0], `{"text":`...), one.text)
		out.Write(append(object, "}\n"...))
	}
	return out.Flush()
}

// sets returns the shingle set of each text.
func (s *sample) sets(o text.Options) [][]uint64 {
	shingler := text.NewShingler(o)
	sets := make([][]uint64, len(s.all))
	var work, tmp []uint64
	for i, one := range s.all {
		work = shingler.Append(work[:0], one.text)
		work, tmp = jaccard.Set(work, tmp)
		sets[i] = slices.Clone(work)
	}
	return sets
}
