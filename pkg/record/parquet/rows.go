package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
)

// openRows reads the footer of a file of which rows are read.
func openRows(f *os.File) (*pq.File, error) {
	file, err := openFile(f)
	if err != nil {
		return nil, err
	}
	return file, refuseRuns(f, file, func(int) bool { return true })
}

// eachRow calls fn with every row from a first one on, up to n of them. Rows
// are valid until fn returns.
func eachRow(g pq.RowGroup, first, n int64, fn func(i int64, row pq.Row) error) error {
	rows := g.Rows()
	defer rows.Close()
	if err := rows.SeekToRow(first); err != nil {
		return err
	}
	buf := make([]pq.Row, 64)
	for done := int64(0); done < n; {
		k, err := rows.ReadRows(buf[:min(int64(len(buf)), n-done)])
		for _, row := range buf[:k] {
			if err := fn(done, row); err != nil {
				return err
			}
			done++
		}
		if err == io.EOF && done < n {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && err != io.EOF {
			return err
		}
	}
	return nil
}

// rows makes the text of each record of all its values: each with its column,
// its levels, its kind and its length, so that different rows have different
// texts.
func (r *run) rows(b *record.Batch) error {
	spans := make([][2]int, 0, r.n)
	err := eachRow(r.group, r.first, int64(r.n), func(_ int64, row pq.Row) error {
		start, end := b.Append(func(dst []byte) []byte { return appendRow(dst, row) })
		spans = append(spans, [2]int{start, end})
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

// copyByRow writes the rows of the files, which are of one schema, for whose
// ordinal keep returns true: it takes all apart and puts the kept together.
func copyByRow(w io.Writer, files []*os.File, keep func(int64) bool) error {
	var out *pq.GenericWriter[any]
	ordinal := int64(0)
	for _, f := range files {
		file, err := openRows(f)
		if err != nil {
			return err
		}
		if out == nil {
			out = pq.NewGenericWriter[any](w, writerOptions(file)...)
		}
		if err := copyFile(out, f, file, &ordinal, keep); err != nil {
			return err
		}
	}
	return out.Close()
}

// copyFile copies the kept rows of a file, the first of which has the ordinal.
// Parquet-go panics at some damaged files.
func copyFile(out *pq.GenericWriter[any], f *os.File, file *pq.File, ordinal *int64, keep func(int64) bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: reading Parquet: %v", f.Name(), p)
		}
	}()
	*ordinal, err = copyGroups(out, file, *ordinal, keep)
	return err
}

// writerOptions returns the options by which a file is written like another:
// its schema, the compression of its first column, and its metadata.
func writerOptions(f *pq.File) []pq.WriterOption {
	options := []pq.WriterOption{f.Schema()}
	if groups := f.Metadata().RowGroups; len(groups) > 0 && len(groups[0].Columns) > 0 {
		codec := pq.LookupCompressionCodec(groups[0].Columns[0].MetaData.Codec)
		options = append(options, pq.Compression(codec))
	}
	for _, kv := range f.Metadata().KeyValueMetadata {
		options = append(options, pq.KeyValueMetadata(kv.Key, kv.Value))
	}
	return options
}

// groupBytes is how much of a row group is written before it is ended: the
// writer holds all of it in memory.
const groupBytes = 64 << 20

// copyGroups copies the kept rows of a file, a row group for each of its own,
// or several for a large one.
func copyGroups(out *pq.GenericWriter[any], file *pq.File, ordinal int64, keep func(int64) bool) (int64, error) {
	leaves := leavesOf(file)
	for n, g := range file.RowGroups() {
		size := file.Metadata().RowGroups[n].TotalByteSize
		rows := 1 + g.NumRows()*groupBytes/max(1, size)
		err := eachRow(g, 0, g.NumRows(), func(i int64, row pq.Row) error {
			if i%rows == rows-1 {
				if err := out.Flush(); err != nil {
					return err
				}
			}
			if !keep(ordinal + i) {
				return nil
			}
			if !soundRow(row, leaves) {
				return pq.ErrCorrupted
			}
			_, err := out.WriteRows([]pq.Row{row})
			return err
		})
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			return ordinal, err
		}
		ordinal += g.NumRows()
	}
	return ordinal, nil
}

// soundRow reports whether a row has sound values of all columns, in order; one
// of a damaged file may lack some.
func soundRow(row pq.Row, leaves []*leaf) bool {
	next := 0 // column
	row.Range(func(column int, values []pq.Value) bool {
		if column != next || len(values) == 0 || !sound(values, leaves[column]) {
			return false
		}
		next++
		return true
	})
	return next == len(leaves)
}
