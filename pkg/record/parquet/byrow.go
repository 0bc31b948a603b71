package parquet

import (
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
	"doppel/pkg/record/write"
)

// copyByRow writes the selected rows of the files without the parts to cut. It decodes and encodes
// every row, and keeps the schema, the metadata and, unless a codec is given, the compression of the
// model.
func copyByRow(w io.Writer, all *union, codec *pages.Codec, texts [][]pages.Text, what write.Selection, cuts *pages.Cuts) error {
	model := all.model
	if texts != nil {
		model = model.WithTexts(texts[0])
	}
	if what.Sized.Adds() {
		model = model.Widened(what.Sized.Field)
	}
	like := &pages.SchemaWriter{W: w, Like: model}
	schema, err := model.Like(codec)
	options := []pq.WriterOption{schema}
	if codec != nil {
		options = append(options, pq.Compression(codec.Encoder()))
	} else if groups := all.model.Meta.RowGroups; len(groups) > 0 && len(groups[0].Columns) > 0 {
		of := pq.LookupCompressionCodec(groups[0].Columns[0].MetaData.Codec)
		options = append(options, pq.Compression(of))
	}
	var out *pq.GenericWriter[any]
	if err == nil {
		err = pages.Guard(func() error {
			out = pq.NewGenericWriter[any](like, options...)
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("%s: reading Parquet: %w", model.Name(), err)
	}
	before := int64(0)
	for i, f := range all.files {
		var added []pages.Text
		if texts != nil {
			added = texts[i]
		}
		for _, g := range f.Groups {
			if err := copyGroup(out, g, all.model, all.rows[i], added, before, what, cuts); err != nil {
				return fmt.Errorf("%s: reading Parquet: %w", f.Name(), err)
			}
			before += g.Rows()
		}
	}
	return like.Close(out)
}

// copyGroup copies the kept rows of a row group. first is the ordinal of the group's first row. The
// copy of a large group is divided into groups of about convert.GroupBytes. The number of rows in
// these groups is computed from the size that the footer states. Because that size may be too
// small, copyGroup also limits the number of bytes in each group.
func copyGroup(out *pq.GenericWriter[any], g *pages.Group, model *pages.File, widening *pages.Widening, added []pages.Text, first int64, what write.Selection, cuts *pages.Cuts) error {
	flushEvery, size := 1+g.Rows()*convert.GroupBytes/max(1, g.Meta.TotalByteSize), 0
	var wide pq.Row
	err := g.Each(0, g.Rows(), func(i int64, row pq.Row) error {
		if i%flushEvery == flushEvery-1 || size > 4*convert.GroupBytes {
			size = 0
			if err := pages.Guard(out.Flush); err != nil {
				return err
			}
		}
		if !what.Keep(first + i) {
			return nil
		}
		if !widening.Same() {
			var err error
			if wide, err = widening.Row(wide[:0], row); err != nil {
				return err
			}
			row = wide
		}
		if err := cuts.Apply(first+i, row); err != nil {
			return err
		}
		if row = pages.AppendTexts(row, model.Columns(), added); what.Sized.Adds() {
			row = model.Widen(row, what.Sized.Field, what.Sized.Size(first+i))
		}
		for range what.Sized.Repeated(first + i) {
			for _, v := range row {
				size += int(pages.Size(v))
			}
			err := pages.Guard(func() error {
				_, err := out.WriteRows([]pq.Row{row})
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return pages.Guard(out.Flush)
}
