package parquet

import (
	"encoding/binary"
	"errors"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
)

// rows makes the text of each record of all its values: each with its column,
// its levels, its kind and its length, so that different rows have different
// texts.
func (r *run) rows(b *record.Batch) error {
	spans := make([][2]int, 0, r.n)
	err := r.group.Each(r.first, r.n, func(_ int64, row pq.Row) error {
		start, end := b.Append(func(dst []byte) []byte { return appendRow(dst, row) })
		spans = append(spans, [2]int{start, end})
		if end-spans[0][0] > maxRunBytes {
			return errors.New("rows of more than 1 GiB in one run")
		}
		return nil
	})
	for i, sp := range spans {
		b.Records[i].Text = b.Bytes(sp[0], sp[1])
	}
	return err
}

func appendRow(dst []byte, row pq.Row) []byte {
	for _, v := range row {
		dst = binary.AppendUvarint(dst, uint64(v.Column()))
		dst = append(dst, byte(v.RepetitionLevel()), byte(v.DefinitionLevel()), byte(v.Kind()))
		at := len(dst)
		dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
		if !v.IsNull() {
			dst = v.AppendBytes(dst)
		}
		binary.LittleEndian.PutUint64(dst[at:], uint64(len(dst)-at-8))
	}
	return dst
}
