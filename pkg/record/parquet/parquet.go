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
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
)

func init() {
	record.Register(&record.Format{
		Magic: pages.Magic, Open: open, Copy: copyRows, Lines: writeLines,
		Writer: func(w io.Writer, how record.Packing) record.LineWriter {
			return convert.NewLineWriter(w, codecOf(how).Encoder())
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

// writeLines writes the rows of the files for whose ordinal keep returns true
// as JSON objects, a line each.
func writeLines(w io.Writer, files []*os.File, keep func(int64) bool) error {
	before := int64(0)
	for _, f := range files {
		all, err := openAll([]*os.File{f})
		if err != nil {
			return err
		}
		if err := convert.Lines(w, all[0], func(i int64) bool { return keep(before + i) }); err != nil {
			return fmt.Errorf("%s: reading Parquet: %w", f.Name(), err)
		}
		for _, g := range all[0].Groups() {
			before += g.Rows()
		}
	}
	return nil
}

// codecOf returns the codec that is asked for, or nil.
func codecOf(how record.Packing) *pages.Codec { return pages.CodecNamed(how.Codec, how.Level) }
