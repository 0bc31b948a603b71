package parquet

import (
	"fmt"
	"io"
	"strconv"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
)

// column reads one column of the run and hands each value to set. A null is
// the error of its record.
func (r *run) column(b *record.Batch, c column, set func(*record.Record, []byte)) error {
	pages := r.group.ColumnChunks()[c.index].Pages()
	defer pages.Close()
	if err := pages.SeekToRow(r.first); err != nil {
		return err
	}
	spans := make([][2]int, 0, r.n)
	for len(spans) < r.n {
		page, err := pages.ReadPage()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF // the footer promised more rows
		}
		if err != nil {
			return err
		}
		spans, err = appendPage(b, c, page, spans, r.n)
		pq.Release(page)
		if err != nil {
			return err
		}
	}
	for i, sp := range spans {
		rec := &b.Records[i]
		switch {
		case sp[1] >= 0:
			set(rec, b.Bytes(sp[0], sp[1]))
		case rec.Err == nil:
			rec.Err = fmt.Errorf("field %q is null, not a string", c.field)
		}
	}
	return nil
}

// appendPage appends the values of a page to the batch and where each of them
// is to spans, up to n; the end of a null is -1.
func appendPage(b *record.Batch, c column, page pq.Page, spans [][2]int, n int) ([][2]int, error) {
	values := page.Values()
	var buf [256]pq.Value
	for len(spans) < n {
		k, err := values.ReadValues(buf[:min(len(buf), n-len(spans))])
		for _, v := range buf[:k] {
			end := -1
			start := 0
			if !v.IsNull() {
				start, end = b.Append(func(dst []byte) []byte { return appendValue(dst, v) })
			}
			spans = append(spans, [2]int{start, end})
		}
		if err == io.EOF {
			return spans, nil
		}
		if err != nil {
			return spans, err
		}
	}
	return spans, nil
}

// appendValue appends a value as text.
func appendValue(dst []byte, v pq.Value) []byte {
	switch v.Kind() {
	case pq.Boolean:
		return strconv.AppendBool(dst, v.Boolean())
	case pq.Int32:
		return strconv.AppendInt(dst, int64(v.Int32()), 10)
	case pq.Int64:
		return strconv.AppendInt(dst, v.Int64(), 10)
	case pq.Float:
		return strconv.AppendFloat(dst, float64(v.Float()), 'g', -1, 32)
	case pq.Double:
		return strconv.AppendFloat(dst, v.Double(), 'g', -1, 64)
	case pq.Int96:
		return append(dst, v.Int96().String()...)
	}
	return append(dst, v.ByteArray()...)
}
