package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// This is a list of the bugs of parquet-go and of how this package works around them. Each entry
// has the version in which the bug was found, its symptom, the work-around, the test of the
// work-around and, after "Goes", the condition for removing the work-around. Most work-arounds for
// reading are in pageReaderAt, so that parquet-go reads only pages that have been decompressed,
// checked and corrected. scripts/parquet-go has reports of the worst bugs, with tests that fail as
// soon as parquet-go fixes the bugs.
//
//	0.32  panics     Damaged pages and footers cause panics in many places: allocate,
//	                 slices, index out of range, gzip: invalid header. Guard;
//	                 TestFaults, FuzzFile. Goes when a year of fuzzing finds none.
//	0.32  claims     Lists of a footer, runs of levels and indexes, counts of delta
//	                 encodings and pages are allocated with the stated size.
//	                 unmarshal, audit, inflate; TestClaims. Goes when parquet-go
//	                 checks these sizes.
//	0.32  values     A page with fewer values than its header says is filled up from
//	                 a used buffer, or with the first value of the dictionary,
//	                 without an error; for texts, a warning is printed. audit;
//	                 TestShort. Goes when parquet-go returns an error.
//	0.32  LZ4_RAW    Values come from another page, because the buffer with the
//	                 decompressed data is ignored. inflate; TestCodecs. Goes when
//	                 a page that grows threefold is read correctly.
//	0.32  RLE        In a run of n trues, only every eighth value is read as true.
//	                 plainBooleans; TestPeers. Goes when parquet-go reads what
//	                 pyarrow writes with data_page_version="2.0".
//	0.32  padding    Zeros after the last text of a page (fastparquet writes one for
//	                 each null) are read as texts, and a warning is printed.
//	                 trimTexts; TestPeers. Goes when parquet-go stops after the
//	                 stated number of values.
//	0.32  RLE        Booleans are written in runs longer than the page, with the
//	                 value 255. libraryMeta removes RLE from a schema taken from a
//	                 file; TestPeersTwice. Goes with plainBooleans.
//	0.32  encodings  The encoding of levels is taken for the encoding of values, so
//	                 integers cannot be written. libraryMeta; TestPeersTwice. Goes
//	                 when parquet-go distinguishes them.
//	0.32  NullType   Columns of the null type, as pandas writes a column of Nones,
//	                 can neither be written nor read by kind. libraryMeta makes them
//	                 integers that are all null, and a copy gets the schema of the
//	                 file; TestPeers, TestTypes. Goes when a file with such a
//	                 column can be copied row by row.
//	0.32  types      Float16 and other logical types are lost in the written schema.
//	                 SchemaWriter; TestTypes. Goes when a schema that was read is
//	                 written unchanged.
//	0.32  indexes    A file in which only some columns have a column index cannot be
//	                 opened. SchemaWriter; TestTable. Goes when it can.
//	0.32  statistics format.Statistics cannot say that the nulls were not counted,
//	                 and is written whenever it is set. columnMeta;
//	                 TestSpliceStatistics. Goes when NullCount is optional.
//	0.32  codec      A column is decompressed with the codec of its first chunk,
//	                 even if a later chunk has another codec. inflate;
//	                 TestTwoCodecs. Goes when parquet-go uses each chunk's codec.
//	0.32  snappy     Compression is slow; s2 writes the same format. quickCodec;
//	                 BenchmarkSplice, and figures in the copy of package parquet.
//	                 Goes when it is fast.

// ErrDamaged is the error for a file that violates the format.
var ErrDamaged = errors.New("the file is damaged")

// Guard calls fn, which calls parquet-go, and turns a panic into an error. fn should do nothing
// else, because panics in this module's own code must stay visible.
func Guard(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w (%v)", ErrDamaged, p)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return fn()
}

// hasPadding reports whether pages may have bytes after their last text, which parquet-go would
// read as more texts.
func (f *File) hasPadding() bool { return strings.HasPrefix(f.Meta.CreatedBy, "fastparquet") }

// hasShortRuns reports whether the last run of indexes may lack the bytes after its last value.
func (f *File) hasShortRuns() bool { return strings.HasPrefix(f.Meta.CreatedBy, "impala") }

// padRuns returns a page of indexes in which no run is incomplete. The last run is completed with
// zeros if it has all values of the page.
func padRuns(b []byte, p *page, l *leaf) ([]byte, error) {
	values, n, err := p.presentValues(b, l)
	if err != nil || len(values) == 0 {
		return b, err
	}
	h := hybrid{values[1:], int(values[0]), n}
	for h.n > 0 {
		last := h
		if _, ok := h.next(); ok {
			continue
		}
		head, k := binary.Uvarint(last.b)
		missing := int64(head>>1)*int64(h.width) - int64(len(last.b)-k)
		if k > 0 && head&1 == 1 && 0 < missing && missing < int64(h.width) && (last.n*h.width+7)/8 <= len(last.b)-k {
			return append(slices.Clip(b), make([]byte, missing)...), nil
		}
		break
	}
	return b, nil
}

// plainBooleans converts a page of booleans from the hybrid encoding to the plain one, with one bit
// per value. Only the lowest bit of a run's value counts, because parquet-go writes 255 for true.
func plainBooleans(b []byte, p *page, l *leaf) ([]byte, error) {
	runs, n, err := p.presentValues(b, l)
	if err != nil {
		return nil, err
	}
	out := append([]byte(nil), b[:len(b)-len(runs)]...)
	p.encoding = format.Plain
	if n == 0 {
		return out, nil
	}
	if runs, _, ok := cutSized(runs); ok && (&hybrid{runs, 1, n}).isComplete() {
		values, err := unpacked(runs, 1, n)
		for i, v := range values {
			if i%8 == 0 {
				out = append(out, 0)
			}
			out[len(out)-1] |= v & 1 << (i % 8)
		}
		return out, err
	}
	return nil, fmt.Errorf("booleans: %w", ErrDamaged)
}

// trimTexts returns a page of plain texts without the bytes after the last text.
func trimTexts(b []byte, p *page, l *leaf) ([]byte, error) {
	texts, n, err := p.presentValues(b, l)
	if err != nil {
		return nil, err
	}
	for ok := true; n > 0; n-- {
		if _, texts, ok = cutSized(texts); !ok {
			return nil, ErrDamaged
		}
	}
	return b[:len(b)-len(texts)], nil
}

var (
	errNoText  = errors.New("parts can be cut only from strings, but the column has other values")
	errChanged = errors.New("changed while it was read")
)
