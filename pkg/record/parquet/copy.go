package parquet

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/msg"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/parquet/pages"
	"doppel/pkg/record/write"
)

// Rows are copied page by page if possible. Usually few rows are dropped, so most pages keep all of
// their rows and are copied unchanged. Pages that keep no rows are left out. Only pages that keep
// some of their rows are decoded and encoded again, several of them concurrently. The new footer
// has the new positions of the pages. The pages of a chunk that share a dictionary are either all
// copied, or all encoded with a dictionary of the kept values, because otherwise a dropped text
// would stay in the file. Copying page by page requires each page to have as many values as rows,
// so files with lists or maps are copied row by row.
//
// The cost is reading all page headers, copying the pages, and compressing the pages that are
// encoded again. Each goroutine holds about four pages. On 2 cores, recuniq takes 5 s to drop 0.3 %
// of 1,000,000 records with 3 GB of text in pages of 256 kB. It takes 28 s if it copies row by row,
// and 11 s if the pages are 3 MB in size. The table shows only the time of copying 200,000 of these
// records, of which 0.3 % are dropped. The columns are the seconds with 1 thread, the seconds with
// 2 threads, the size of the copy, and the size of the input. The level is the compression level of
// the pages that are encoded again:
//
//	pages of 256 kB, zstd, default level   1.3   .85   250.9 MB, of 251.7
//	the same, fastest level                 .97  .62   252.7 MB
//	pages of 1 MB, zstd, default level     4.6  2.3    214.6 MB, of 232.4
//	the same, fastest level                3.2  1.65   227.6 MB
//	pages of 1 MB, snappy of parquet-go    3.7  1.8    291.4 MB, of 355.3
//	the same, of s2                        2.2  1.15   344.5 MB
//
// Compression takes three quarters of the time of copying zstd pages. If a file with 911 MB of text
// in pages of 1 MB loses two rows per page on average, 87 % of the pages are encoded again. At the
// fastest level, copying takes 6.5 s of processor time, and the size of the copy is 334 MB. With
// the C library for zstd, copying takes 4.5 s, and the size is 345 MB. Four ways to compress faster
// in Go were tried:
//
//   - Windows of 64 KiB to 1 MiB are not faster.
//   - Literals without Huffman codes are 7 % faster, but the output is a fifth larger.
//   - Finding matches with s2 and encoding them as zstd is a quarter faster, but the output is 9 %
//     larger.
//   - Reusing the matches of the old page (decoding, shifting and encoding them without a search)
//     is not faster, because text has a match every nine bytes, and the output is 9 % larger.

// copyRows writes the selected rows of the files.
func copyRows(w io.Writer, files []*os.File, how dataform.Packing, what write.Selection) error {
	if len(files) == 0 {
		return nil
	}
	all, err := openAll(files)
	if err != nil {
		return err
	}
	joined, err := unify(all)
	if err != nil {
		return err
	}
	cuts, err := cutsOf(nil, joined.model, what.Cuts)
	if err != nil {
		return err
	}
	texts := addedTexts(all, what.Parts)
	differ := slices.ContainsFunc(joined.rows, func(w *pages.Widening) bool { return !w.Same() })
	if codec := pages.CodecNamed(how.Codec, how.Level); differ || !spliceable(all, codec) {
		err = copyByRow(w, joined, codec, texts, what, cuts)
	} else {
		err = copyByPage(w, all, how, texts, what, cuts)
	}
	if err == nil {
		err = cuts.Close()
	}
	return err
}

// spliceable reports whether the files can be copied page by page. This requires that no column is
// repeated. Unless a new codec is given, each column must also have the same codec in all row
// groups, because many readers expect that.
func spliceable(files []*pages.File, codec *pages.Codec) bool {
	var codecs []format.CompressionCodec
	for _, f := range files {
		if !f.Flat() {
			return false
		}
		for i := range f.Meta.RowGroups {
			var these []format.CompressionCodec
			for _, c := range f.Meta.RowGroups[i].Columns {
				these = append(these, c.MetaData.Codec)
			}
			if codecs == nil {
				codecs = these
			}
			if codec == nil && !slices.Equal(these, codecs) {
				return false
			}
		}
	}
	return true
}

// copyByPage copies the rows of files without repeated columns.
func copyByPage(w io.Writer, files []*pages.File, how dataform.Packing, texts [][]pages.Text, what write.Selection, cuts *pages.Cuts) error {
	codec, model := pages.CodecNamed(how.Codec, how.Level), files[0]
	if texts != nil {
		model = model.WithTexts(texts[0])
	}
	out, err := pages.NewOutput(w, model, codec, cuts, what.Sized)
	if err != nil {
		return err
	}
	worker := func() func(*pages.Task) *pages.Task { return (&pages.Recoder{Keep: what.Keep, To: codec}).Run }
	tasks := &pages.Tasks{Files: files, Keep: what.Keep, Codec: codec, Cuts: cuts, Texts: texts, Sized: what.Sized}
	if err := par.Ordered(how.Jobs, tasks.Next, worker, out.Add); err != nil {
		return err
	}
	if files[0].Columns() == 0 && texts == nil && !what.Sized.Adds() {
		out.AddRows(countKept(files, what))
	}
	return out.Close()
}

// addedTexts returns the values of the fields of directories for each file: all fields that the
// directories of any file define, in the same order. The files must have the same schema. The result
// is nil if there are no such fields.
func addedTexts(files []*pages.File, parts [][]record.Partition) (texts [][]pages.Text) {
	var names []string
	for _, of := range parts {
		for _, p := range lackedParts(files[0], of) {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	if names == nil {
		return nil
	}
	for i := range files {
		var all []pages.Text
		for _, name := range names {
			t := pages.Text{Name: name, Null: true}
			for _, p := range parts[i] {
				if p.Name == name {
					t = pages.Text(p)
				}
			}
			all = append(all, t)
		}
		texts = append(texts, all)
	}
	return texts
}

// countKept returns how many rows of the files are written.
func countKept(files []*pages.File, what write.Selection) (kept int64) {
	row := int64(0)
	for _, f := range files {
		for _, g := range f.Groups {
			for range g.Rows() {
				if what.Keep(row) {
					kept += what.Sized.Repeated(row)
				}
				row++
			}
		}
	}
	return kept
}

// A union holds files that become one.
type union struct {
	files []*pages.File
	model *pages.File       // has the schema and the metadata of the result
	rows  []*pages.Widening // for each file, how its rows are converted
}

// unify returns an error if the columns or types of a file differ from those of the first one, except
// for columns that are optional or have only nulls. The error names one column that differs.
func unify(files []*pages.File) (*union, error) {
	model, rows, bad := pages.Unify(files)
	if model == nil {
		return nil, errSchemas(files[0], files[bad])
	}
	return &union{files, model, rows}, nil
}

// errSchemas returns the error for a file whose schema differs from that of the first one.
func errSchemas(first, f *pages.File) error {
	// The first line has the name of the schema.
	columns := func(f *pages.File) []string { return strings.Split(f.Schema().String(), "\n")[1:] }
	want, got := columns(first), columns(f)
	// Whether a column is required is not a difference.
	lacks := func(all []string, column string) bool {
		plain := func(c string) string { return strings.Replace(c, "required ", "optional ", 1) }
		return !slices.ContainsFunc(all, func(c string) bool { return plain(c) == plain(column) })
	}
	i := slices.IndexFunc(got, func(c string) bool { return lacks(want, c) })
	j := slices.IndexFunc(want, func(c string) bool { return lacks(got, c) })
	differs := "different order of columns"
	switch {
	case i >= 0:
		differs = fmt.Sprintf("additional column %q", strings.Trim(got[i], "\t; "))
	case j >= 0:
		differs = fmt.Sprintf("missing column %q", strings.Trim(want[j], "\t; "))
	}
	err := fmt.Errorf("%s: schema differs from %s: %s", f.Name(), first.Name(), differs)
	return msg.WithHint(err, "--to jsonl allows different schemas")
}
