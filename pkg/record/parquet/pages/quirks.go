package pages

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// What is wrong with the library, parquet-go, and what is done about it. Each
// entry says since which version we know it, what one saw, which test holds it,
// and when the work-around can go. All of it but the writers' entries is done
// between the file and the library, in [feed]: the library reads a file whose
// pages have been decompressed, looked through and put right. scripts/parquet-go has
// reports of the worst, with tests that fail when the library has mended one.
//
//	0.32  panics     Damaged pages and footers panic in many places: allocate,
//	                 slices, index out of range, gzip: invalid header.
//	                 Guard; TestFaults, FuzzFile. Goes when a year of fuzzing
//	                 finds none.
//	0.32  claims     Lists of a footer, runs of levels and indexes, counts of delta
//	                 encodings and sizes of pages are allocated as they are
//	                 claimed. unmarshal, audit, inflate; TestClaims. Goes when
//	                 the library checks them.
//	0.32  values     A page with fewer values than its header says is filled up
//	                 from a used buffer, or with the first of the dictionary,
//	                 without an error; of texts, a warning is printed. audit;
//	                 TestShort. Goes when that is an error.
//	0.32  LZ4_RAW    Values are those of some other page: the buffer that is
//	                 decompressed into is left aside. inflate; TestCodecs.
//	                 Goes when a page that grows threefold is read right.
//	0.32  RLE        Of a run of n trues every eighth is true. plainBooleans;
//	                 TestPeers. Goes when it reads what pyarrow writes with
//	                 data_page_version="2.0".
//	0.32  padding    Zeros behind the last text of a page, as fastparquet writes
//	                 one a null, are read as texts, and a warning is printed.
//	                 trimTexts; TestPeers. Goes when the count of values ends it.
//	0.32  RLE        Booleans are written in runs longer than the page, of the
//	                 value 255. libraryMeta: a schema taken from a file does
//	                 not say RLE; TestPeersTwice. Goes with the former.
//	0.32  encodings  The encoding of levels is taken for that of values, so that
//	                 integers cannot be written. libraryMeta; TestPeersTwice.
//	                 Goes when it is not.
//	0.32  NullType   Columns of the null type, as pandas writes a column of Nones,
//	                 can be neither written nor read by kind. libraryMeta:
//	                 they are integers that are all null, and a copy gets the
//	                 schema of the file; TestPeers, TestTypes. Goes when a file
//	                 with such a column can be copied by rows.
//	0.32  types      Float16 and other logical types are lost in the schema that is
//	                 written. SchemaWriter; TestTypes. Goes when a schema that was
//	                 read is written as it was.
//	0.32  indexes    A file of which some columns have a column index and others have
//	                 none cannot be opened. SchemaWriter; TestTable. Goes when it can.
//	0.32  statistics format.Statistics cannot say that nobody counted the nulls,
//	                 and is written whenever it is there. columnMeta; TestSpliceStatistics.
//	                 Goes when NullCount is optional.
//	0.32  codec      A column is decompressed as its first chunk is, also where a
//	                 later chunk has another codec. inflate; TestTwoCodecs. Goes when
//	                 each chunk has its own.
//	0.32  snappy     Is slow to compress; s2 writes the same format. quickCodec;
//	                 BenchmarkSplice, and figures in the copy of package parquet.
//	                 Goes when it is not.

// ErrDamaged is the error of what is not as the format says.
var ErrDamaged = errors.New("the file is damaged")

// Guard calls the library, and turns its panics into errors. No code of ours but
// what passes arguments belongs into fn: our own panics shall be seen.
func Guard(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w (%v)", ErrDamaged, p)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return fn()
}

// pads reports whether pages of texts may go on behind their last: the library
// reads those bytes as more texts.
func (f *File) pads() bool { return strings.HasPrefix(f.Meta.CreatedBy, "fastparquet") }

// plainBooleans returns a page of booleans in runs with plain ones, a bit each.
// Runs are a hybrid behind its size. Of the value of a run only the lowest bit
// counts: the library writes 255 for true.
func plainBooleans(b []byte, p *page, l *leaf) ([]byte, error) {
	runs, n, err := p.there(b, l)
	if err != nil {
		return nil, err
	}
	out := append([]byte(nil), b[:len(b)-len(runs)]...)
	if n == 0 {
		return out, nil
	}
	if runs, _, ok := cutSized(runs); ok && (&hybrid{runs, 1, n}).whole() {
		values, err := unpacked(runs, 1, n)
		for i, v := range values {
			if i%8 == 0 {
				out = append(out, 0)
			}
			out[len(out)-1] |= v & 1 << (i % 8)
		}
		return out, err
	}
	return nil, fmt.Errorf("its booleans: %w", ErrDamaged)
}

// trimTexts returns a page of plain texts without what is behind them.
func trimTexts(b []byte, p *page, l *leaf) ([]byte, error) {
	texts, n, err := p.there(b, l)
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
	errNoText  = errors.New("parts are cut out of texts, and the column has other values")
	errChanged = errors.New("the file is another than when it was read first")
)
