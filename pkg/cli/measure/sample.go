package measure

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"doppel/pkg/line/cell"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/topk"
)

// A sample holds records chosen at random. The ordinal of each record is hashed to a number, its
// draw, and the records with the smallest draws are in the sample. Equal data give equal samples,
// and a larger sample of the same data contains the smaller one.
type sample struct {
	topk.List[pick]
	seen int64
}

// A pick is a record of the sample, with its random number.
type pick struct {
	draw uint64
	*sampleRecord
}

type sampleRecord struct {
	ordinal  int64
	id, text []byte
}

// takeSample reads all records and returns a sample of them, in input order. The sample has at most
// the given number of records.
func takeSample(e *tool.Env, args []string, size int) (*sample, error) {
	rd, err := record.NewReader(e.Input(args), e.Records)
	if err != nil {
		return nil, err
	}
	s := &sample{List: topk.List[pick]{Size: size, Compare: func(a, b pick) int { return cmp.Compare(a.draw, b.draw) }}}
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		s.seen++
		one := pick{draw: topk.Draw(0, rec.Ordinal)}
		if s.Takes(one) {
			one.sampleRecord = &sampleRecord{rec.Ordinal, slices.Clone(rec.ID), slices.Clone(rec.Text)}
			s.Add(one)
		}
		return nil
	})
	slices.SortFunc(s.All, func(a, b pick) int { return cmp.Compare(a.ordinal, b.ordinal) })
	return s, err
}

// open returns a reader of the sample as JSON lines that contain only the text.
func (s *sample) open() (io.ReadCloser, error) {
	var lines []byte
	for _, one := range s.All {
		lines = append(cell.AppendJSON(append(lines, `{"text":`...), one.text), "}\n"...)
	}
	return io.NopCloser(bytes.NewReader(lines)), nil
}
