// Package parquet lets the record tools read and write Parquet datasets.
//
// Only the columns of the text and the id are read, in runs of rows that several goroutines decode
// concurrently. A run is a row group, or a part of a large row group.
//
// Package pages reads and writes the file format, and package convert converts rows to JSON and
// back.
//
// Programs import this package for its side effect: it registers the format with package record.
package parquet

import (
	"fmt"
	"io"
	"os"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
	"doppel/pkg/record/write"
)

func init() {
	record.Register(&record.Format{Kind: dataform.Parquet, Magic: pages.Magic, Open: open})
	write.Register(&write.Format{
		Kind: dataform.Parquet, Copy: copyRows, Lines: writeLines,
		Alike: func(files []*os.File) error {
			all, err := openAll(files)
			if err == nil && len(all) > 0 {
				_, err = unify(all)
			}
			return err
		},
		Check: convert.Check,
		Writer: func(w io.Writer, how dataform.Packing) write.LineWriter {
			return convert.NewLineWriter(w, pages.CodecNamed(how.Codec, how.Level).Encoder(), how.Jobs)
		},
	})
}

func openAll(files []*os.File) (all []*pages.File, err error) {
	for _, f := range files {
		file, err := pages.Open(f)
		if err != nil {
			return nil, fmt.Errorf("%s: reading Parquet: %w", f.Name(), err)
		}
		all = append(all, file)
	}
	return all, nil
}

// writeLines writes the selected rows of the files as JSON lines.
func writeLines(w io.Writer, files []*os.File, what write.Selection) error {
	before := int64(0)
	var cuts *pages.Cuts
	for i, f := range files {
		all, err := openAll([]*os.File{f})
		if err != nil {
			return err
		}
		if err := checkNames(all[0].Root()); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		if cuts, err = cutsOf(cuts, all[0], what.Cuts); err == nil {
			var parts []record.Partition
			if what.Parts != nil {
				parts = lackedParts(all[0], what.Parts[i])
			}
			err = convert.Lines(w, all[0], parts, before, what, cuts)
		}
		if err != nil {
			return fmt.Errorf("%s: reading Parquet: %w", f.Name(), err)
		}
		for _, g := range all[0].Groups {
			before += g.Rows()
		}
	}
	return cuts.Close()
}
