package front

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

// A sample holds records chosen at random: each ordinal is hashed to a draw, and the smallest
// draws win. Equal data give equal samples, and a larger sample contains a smaller one.
type sample struct {
	topk.List[pick]
	seen int64
}

// A pick is a drawn record with its draw.
type pick struct {
	draw uint64
	*sampleRecord
}

type sampleRecord struct {
	ordinal  int64
	id, text []byte
}

// takeSample reads all records and keeps a sample, in the order of the input.
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

// open returns the sample as JSON lines with only the text.
func (s *sample) open() (io.ReadCloser, error) {
	var lines []byte
	for _, one := range s.All {
		lines = append(cell.AppendJSON(append(lines, `{"text":`...), one.text), "}\n"...)
	}
	return io.NopCloser(bytes.NewReader(lines)), nil
}
