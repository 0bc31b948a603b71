package parquet

import (
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
)

// copyByRow writes the rows of the files, which are of one schema, for whose
// ordinal keep returns true, without the cuts: it takes all apart and puts the kept
// together.
func copyByRow(w io.Writer, files []*pages.File, codec *pages.Codec, keep func(int64) bool, cuts *pages.Cuts) error {
	like := pages.NewSchemaWriter(w, files[0])
	out, err := writerLike(like, files[0], codec)
	if err != nil {
		return fmt.Errorf("%s: reading Parquet: %w", files[0].Name(), err)
	}
	before := int64(0)
	for _, f := range files {
		for _, g := range f.Groups() {
			if err := copyGroup(out, g, before, keep, cuts); err != nil {
				return fmt.Errorf("%s: reading Parquet: %w", f.Name(), err)
			}
			before += g.Rows()
		}
	}
	like.Hold()
	if err := pages.Guard(out.Close); err != nil {
		return err
	}
	return like.Close()
}

// writerLike returns a writer of a file like another: of its schema, the
// compression of its columns, unless a codec is given, and its metadata.
func writerLike(w io.Writer, f *pages.File, to *pages.Codec) (out *pq.GenericWriter[any], err error) {
	schema, err := f.Like(to)
	if err != nil {
		return nil, err
	}
	options := []pq.WriterOption{schema}
	if to != nil {
		options = append(options, pq.Compression(to.Encoder()))
	} else if groups := f.Meta().RowGroups; len(groups) > 0 && len(groups[0].Columns) > 0 {
		codec := pq.LookupCompressionCodec(groups[0].Columns[0].MetaData.Codec)
		options = append(options, pq.Compression(codec))
	}
	for _, kv := range f.Meta().KeyValueMetadata {
		options = append(options, pq.KeyValueMetadata(kv.Key, kv.Value))
	}
	err = pages.Guard(func() error {
		out = pq.NewGenericWriter[any](w, options...)
		return nil
	})
	return out, err
}

// copyGroup copies the kept rows of a row group, whose first has the ordinal, as one, or
// as several if it is large: by what the footer says of its size, and if that is too
// little, by what was written.
func copyGroup(out *pq.GenericWriter[any], g *pages.Group, first int64, keep func(int64) bool, cuts *pages.Cuts) error {
	flushEvery, size := 1+g.Rows()*convert.GroupBytes/max(1, g.TotalBytes()), 0
	err := g.Each(0, g.Rows(), func(i int64, row pq.Row) error {
		if i%flushEvery == flushEvery-1 || size > 4*convert.GroupBytes {
			size = 0
			if err := pages.Guard(out.Flush); err != nil {
				return err
			}
		}
		if !keep(first + i) {
			return nil
		}
		if err := cuts.Apply(first+i, row); err != nil {
			return err
		}
		size += sizeOf(row)
		return pages.Guard(func() error {
			_, err := out.WriteRows([]pq.Row{row})
			return err
		})
	})
	if err != nil {
		return err
	}
	return pages.Guard(out.Flush)
}

// sizeOf returns about how many bytes a row takes.
func sizeOf(row pq.Row) (n int) {
	for _, v := range row {
		n += 8
		if kind := v.Kind(); kind == pq.ByteArray || kind == pq.FixedLenByteArray {
			n += len(v.ByteArray())
		}
	}
	return n
}
