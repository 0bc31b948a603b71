// Package parquet lets the record tools read and write Parquet datasets.
//
// A dataset is read by column: of the row groups only the columns that hold
// the text and the id are read, in runs of rows that several goroutines decode
// at once. A run is a row group, or pages of a large one.
//
// Package pages reads and writes the format, package convert makes JSON of rows
// and rows of JSON.
//
// Import it for its effect: it registers the format.
package parquet

import (
	"fmt"
	"io"
	"os"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
)

func init() {
	record.Register(&record.Format{
		Magic: pages.Magic, Open: open, Copy: copyRows, Lines: writeLines,
		Alike: func(files []*os.File) error {
			all, err := openAll(files)
			if err == nil {
				err = sameSchema(all)
			}
			return err
		},
		Writer: func(w io.Writer, how dataform.Packing) record.LineWriter {
			return convert.NewLineWriter(w, pages.CodecNamed(how.Codec, how.Level).Encoder())
		},
	})
}

// openAll opens all files.
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

// writeLines writes the rows of the files that are selected as JSON objects, a line
// each.
func writeLines(w io.Writer, files []*os.File, what record.Selection) error {
	before := int64(0)
	var cuts *pages.Cuts
	for _, f := range files {
		all, err := openAll([]*os.File{f})
		if err != nil {
			return err
		}
		if cuts, err = cutsOf(cuts, all[0], what.Cuts); err == nil {
			err = convert.Lines(w, all[0], before, what, cuts)
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
