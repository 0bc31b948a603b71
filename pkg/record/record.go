// Package record reads datasets: JSON lines, plain lines, CSV, listed files (one record per file),
// and, if package parquet is linked, Parquet. It recognizes gzip, zstd, bzip2 and xz by their magic
// bytes.
//
// Reading has two steps, so that most of the work can run on all cores. [Reader.Next] reads a batch of
// records and numbers them. A batch holds about a quarter of a megabyte of input, or one longer line.
// [Batch.Decode] extracts the texts, and may run on several batches concurrently. [Reader.Ahead] leaves
// nearly all of the work to the second step. Neither step changes the bytes of a line, so keepdrop can
// copy [Record.Raw].
package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"doppel/pkg/files"
	"doppel/pkg/record/fieldpath"
)

// A Record is one document of a dataset. Its slices are valid until its batch is reused.
type Record struct {
	Raw     []byte // the line unchanged, without its line end; nil for Parquet, unless Options.Objects is set
	Text    []byte // the wanted fields, unescaped and joined by LF
	Ends    []int  // offset in Text of the end of each field, if there are several fields
	Value   []byte // value of the field that Options.Within or Options.Across names; otherwise nil
	ID      []byte // the record's id, unescaped
	Ordinal int64  // number of the record across all inputs, from 0
	Name    string // display name of the input, "<stdin>" for standard input
	Line    int64  // line number in the input, from 1; for Parquet, the row number
	Absent  int    // number of values that are missing or null in an array, and so not in Text
	Missing bool   // a wanted field is missing or null, so Text and Value are nil
	Lacks   bool   // a wanted field is missing, not null
	Header  bool   // the record is a row that equals the header of its table
	Err     error  // reason why Text or ID is missing, or nil

	row bool // the record is a CSV row
}

// IsRow reports whether the record is a CSV row, out of which no part can be cut.
func (r *Record) IsRow() bool { return r.row }

// AddField appends a field to Text and its end to Ends. An LF separates each field from the
// previous one.
func (r *Record) AddField(v []byte) {
	if len(r.Ends) > 0 {
		r.Text = append(r.Text, '\n')
	}
	r.Text = append(r.Text, v...)
	r.Ends = append(r.Ends, len(r.Text))
}

// A Missing says how to treat a record in which a field of the text is missing or null. *Missing is
// a pflag.Value.
type Missing string

// The values of a Missing. The zero value is like MissingError.
const (
	MissingError Missing = "error" // the record is bad
	MissingKeep  Missing = "keep"  // its text is empty, so it has no duplicates; so is that of a record without a value
	MissingDrop  Missing = "drop"  // its error is ErrMissing; the same applies to an empty field of a table
)

// ErrMissing is the error of a record that is dropped because a field of its text is missing. Tools
// do not report it as a bad record.
var ErrMissing = errors.New("dropped, because a field of the text is missing")

// Set returns an error unless s is error, keep or drop.
func (m *Missing) Set(s string) error {
	switch Missing(s) {
	case MissingError, MissingKeep, MissingDrop:
		*m = Missing(s)
		return nil
	}
	return fmt.Errorf("invalid value %q: want error, keep or drop", s)
}

func (m *Missing) String() string { return string(cmp.Or(*m, MissingError)) }

func (m *Missing) Type() string { return "HOW" }

// accepts reports whether a missing field is not an error.
func (m Missing) accepts() bool { return m == MissingKeep || m == MissingDrop }

// SetMissing makes rec a record without a text, because a wanted field is missing or null. If the
// text is there, and only the value of Options.Within or Options.Across is missing, no record is
// dropped.
func (m Missing) SetMissing(rec *Record, text bool) {
	rec.Missing, rec.Text, rec.Ends, rec.Value = true, nil, nil, nil
	if m == MissingDrop && text {
		rec.Err = ErrMissing
	}
}

// cutValue moves the first field, which decoding stored in Text, to Value.
func (r *Record) cutValue() {
	if len(r.Ends) < 2 {
		return // the record has an error or is skipped
	}
	r.Value = r.Text[:r.Ends[0]:r.Ends[0]]
	start := r.Ends[0] + 1 // after the LF between two fields
	if r.Text, r.Ends = r.Text[start:], r.Ends[1:]; len(r.Ends) == 1 {
		r.Ends = nil
		return
	}
	for i := range r.Ends {
		r.Ends[i] -= start
	}
}

// At wraps an error in a [SyntaxError] with the position of the record.
func (r *Record) At(err error) error { return &SyntaxError{r.Name, r.Line, err} }

// Options says how the inputs are divided into records, and which parts of a record are its text
// and its id.
type Options struct {
	Fields       []string    // paths of the text, such as "meta.text"; if empty, the text is the whole record
	Flag         string      // the flag that sets Fields, for hints; "" means --field
	ID           string      // path of the id; if "", ids are ordinals
	IDFlag       string      // the flag that sets ID, for hints; "" means --id
	Within       string      // path of a value; if set, only records with the same value are compared
	Across       string      // path of a value; if set, only records with different values are compared
	NoText       bool        // no text is wanted, so sources need not read any
	Objects      bool        // Raw of a Parquet row is a JSON object, and so is its text if there are no Fields
	Lines        bool        // each line is a text; nothing is parsed
	WithFilename bool        // ids are file:ordinal, or file:id if ID is set
	IDAfterNUL   bool        // with ID and WithFilename: a NUL, which no file name contains, takes the place of the colon
	MaxRecord    int64       // maximum size of a line or a row in bytes, in Parquet of a text; 0 means DefaultMax
	Names        bool        // each line names a file; the file's content is the text, and its name is the id
	Null         bool        // lines end in NUL; applies only with Names or Lines
	CheckFile    files.Check // with Names: called for each file before it is read
	Decomposed   string      // with Names: the flag by which texts are decomposed, so they have at most MaxDecomposed bytes; or ""
	Dialect
	Missing Missing // how to treat a record in which a field of Paths is missing or null
	Lacking bool    // with Missing: accept a file of which no record has the field
	Torn    bool    // accept truncated JSON lines if none of their fields is wanted
	Sealed  bool    // check and remove the seals of files of an earlier version; applies only with Lines
	Ended   bool    // reject a last line without a line end, which may be cut short; applies only with Lines
	Expect  int64   // minimum number of records; with fewer, the reader returns an error at the end of the last input

	// Skip, if not nil, reports whether a record is not wanted. Decode need not extract the
	// text of such a record.
	Skip func(ordinal int64) bool
}

// FlagOf returns the flag with which a user sets the path. Hints name this flag.
func (o *Options) FlagOf(path string) string {
	switch {
	case path == "":
	case path == o.Within:
		return "--within"
	case path == o.Across:
		return "--across"
	case path == o.ID:
		return cmp.Or(o.IDFlag, "--id")
	}
	return cmp.Or(o.Flag, "--field")
}

// Paths returns the paths of the values that are read into a record's Value and Text.
func (o *Options) Paths() []string {
	if value := cmp.Or(o.Within, o.Across); value != "" {
		return append([]string{value}, o.Fields...)
	}
	return o.Fields
}

// valued reports whether the first of Paths is a value, not a field of the text.
func (o *Options) valued() bool { return o.Within != "" || o.Across != "" }

// IntoArray returns the first field that leads into an array, or "". The text of such a
// field is not one string, so it cannot be cut.
func (o *Options) IntoArray() string {
	if i := slices.IndexFunc(o.Fields, fieldpath.IntoArray); i >= 0 && !o.Lines {
		return o.Fields[i]
	}
	return ""
}

// DefaultMax is the maximum size of a record in bytes unless Options.MaxRecord is set.
const DefaultMax = 64 << 20

// A SyntaxError reports an error in a record and the position of the record.
type SyntaxError struct {
	Name string // name of the file, "<stdin>" for standard input
	Line int64  // line number, from 1
	Err  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err) }

func (e *SyntaxError) Unwrap() error { return e.Err }

// A Batch is a sequence of consecutive records of one input.
type Batch struct {
	Records []Record
	Cut     error // the error of the first record that CutAtError dropped, or a failure to read the records that follow

	name   string       // display name of the input, for messages
	file   string       // cleaned name of the input, used in ids
	first  int64        // ordinal of the first record within its file
	opt    *Options     // options of the reader
	decode func(*Batch) // sets Text, and also ID if the id is not the ordinal
	piece  piece        // the part of a stream of lines that the batch covers; cleared when it is read
	data   []byte       // memory for the Raw fields of all records, apart from head
	head   []byte       // memory for the Raw field of a first line that began in an earlier piece
	headAt int64        // offset in lines of the first byte of head
	arena  []byte       // memory for decoded texts and ids
	size   int64
	lines  *File      // the file that data was read from; nil if its records cannot be reread by offset
	at     int64      // offset in that file of the first byte of data
	has    []presence // for each field, whether a record has it; empty if no path leads into an array
	after  func()     // set by AfterUse; may be nil
}

// Reset empties the batch, and gives it n zero records for the source to fill in. [Batch.Decode]
// will call decode.
func (b *Batch) Reset(n int, decode func(*Batch)) {
	b.release()
	b.Cut, b.decode, b.size, b.lines, b.piece = nil, decode, 0, nil, piece{}
	b.data, b.head, b.arena = b.data[:0], b.head[:0], b.arena[:0]
	if cap(b.Records) < n {
		b.Records = make([]Record, n)
	}
	b.Records = b.Records[:n]
	clear(b.Records)
}

// AfterUse sets a function that the next Reset or Shrink calls. A source that owns the memory of
// the texts uses AfterUse to free that memory.
func (b *Batch) AfterUse(fn func()) { b.after = fn }

func (b *Batch) release() {
	if b.after != nil {
		b.after()
		b.after = nil
	}
}

// Skipped reports whether Options.Skip excludes the record.
func (b *Batch) Skipped(rec *Record) bool { return b.opt.Skip != nil && b.opt.Skip(rec.Ordinal) }

// Load reads the records of a batch of Reader.Ahead, which Decode does, too, but does not decode them.
func (b *Batch) Load() { b.load() }

// Decode fills in the text and the id of every record, or its error. Before that, it reads the records
// of a batch of Reader.Ahead.
func (b *Batch) Decode() {
	b.load()
	b.decode(b)
	valued := b.opt.valued()
	ordinals, named := b.opt.ID == "" && !b.opt.Names, b.opt.WithFilename && !b.opt.Names
	separator := byte(':')
	if b.opt.IDAfterNUL && !ordinals {
		separator = 0
	}
	for i := range b.Records {
		rec := &b.Records[i]
		if valued {
			rec.cutValue()
		}
		start := len(b.arena)
		if named {
			b.arena = append(append(b.arena, b.file...), separator)
		}
		switch {
		case ordinals && named:
			b.arena = strconv.AppendInt(b.arena, b.first+int64(i), 10)
		case ordinals:
			b.arena = strconv.AppendInt(b.arena, rec.Ordinal, 10)
		case named && rec.ID != nil:
			b.arena = append(b.arena, rec.ID...)
		}
		if ordinals || named && rec.ID != nil {
			rec.ID = b.arena[start:len(b.arena):len(b.arena)]
		}
		if rec.Err != nil && b.name != "" {
			rec.Err = &SyntaxError{b.name, rec.Line, rec.Err}
		}
	}
}

// CutAtError drops the first record with an error other than ErrMissing, and all records after it, and stores the error in
// Cut.
func (b *Batch) CutAtError() {
	for i := range b.Records {
		if err := b.Records[i].Err; err != nil && !errors.Is(err, ErrMissing) {
			b.Cut, b.Records = err, b.Records[:i]
			return
		}
	}
}

// Size returns the number of input bytes that the batch covers.
func (b *Batch) Size() int64 { return b.size }

// SetSize sets the result of Size.
func (b *Batch) SetSize(n int64) { b.size = n }

// Append calls fn to append bytes to the memory that holds the batch's texts and ids, and returns
// the range of the appended bytes. It is meant for decode functions.
func (b *Batch) Append(fn func([]byte) []byte) (start, end int) {
	start = len(b.arena)
	b.arena = fn(b.arena)
	return start, len(b.arena)
}

// Bytes returns the bytes between two positions that Append returned.
func (b *Batch) Bytes(start, end int) []byte { return b.arena[start:end:end] }

// Fail sets the error of the i-th record to a [SyntaxError] that wraps err.
func (b *Batch) Fail(i int, err error) {
	b.Records[i].Err = &SyntaxError{b.name, b.Records[i].Line, err}
}

// Name returns the name of the input, for messages.
func (b *Batch) Name() string { return b.name }
