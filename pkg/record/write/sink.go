// Package write writes records that a record.Reader has read: kept lines and rows unchanged, or
// converted to another kind of file, with parts cut out of their texts, or with the sizes of their
// clusters.
//
// A [Sink] chooses one of three implementations of [Writer] as soon as the reader knows the kind of
// its inputs. lines writes kept lines and rows as they are. converted writes each record as a JSON
// object, in lines, in an array or in Parquet. copied notes the kept rows of Parquet files, and copies
// them in a second pass over these files.
package write

import (
	"errors"
	"fmt"
	"io"
	"os"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/jsonscan"
)

// A Writer writes the kept records of one kind in one form. It is called with the records in reading
// order.
type Writer interface {
	// Gather writes a record as often as the size of its cluster demands. The record must stay
	// unchanged in memory until Flush. If the size cannot be added to the record, Gather returns
	// a [record.SyntaxError].
	Gather(rec *record.Record, size int64) error
	// Check returns the SyntaxError that Gather would return, but writes nothing.
	Check(rec *record.Record) error
	// Cut writes a record without parts of its text, as Sink.KeepCut does.
	Cut(c *Cutter, rec *record.Record, parts []Range) error
	// Flush writes the gathered records.
	Flush() error
	// Close writes the rest of the output, after the last record.
	Close() error
}

// A Sink writes the kept records in the output format.
type Sink struct {
	to    Writer // lines until the reader knows the kind of its inputs
	rd    *record.Reader
	w     io.Writer
	form  dataform.Form
	sizer *sizer                                     // nil if no sizes are written
	next  func(input string) (io.WriteCloser, error) // opens the output for an input; if nil, all records go to w
	lines bool                                       // the output has the lines of the input
	like  []byte                                     // the argument of Like, or nil
}

// New returns a sink that writes records of rd to w, with the given sizes, which may be nil. If the
// records cannot be written in the given form, the first call of rd.Next returns an error.
func New(rd *record.Reader, w io.Writer, form dataform.Form, sizes *Sizes) *Sink {
	s := &Sink{rd: rd, w: w, form: form, sizer: newSizer(sizes)}
	s.to = s.newLines(dataform.Kind{})
	rd.SetUse(s.choose)
	return s
}

// NewEach returns a sink that writes the records of each input to a separate output. The function
// next opens the output for the input with the given display name. The sink opens the outputs in
// input order and has only one open at a time.
func NewEach(rd *record.Reader, form dataform.Form, sizes *Sizes, next func(input string) (io.WriteCloser, error)) *Sink {
	s := New(rd, nil, form, sizes)
	s.next = next
	return s
}

// Like adds the members of a JSON object as columns to Parquet output that is converted from lines,
// even if no record has these members. The caller must call Like before the first record.
func (s *Sink) Like(object []byte) { s.like = object }

// choose chooses the writer for inputs of a kind. It returns what the reader must check.
func (s *Sink) choose(kind dataform.Kind) (use record.Use, err error) {
	form, plain := s.form, s.rd.PlainLines()
	if plain && !form.Kind.Columns {
		form.Kind = dataform.Kind{} // lines of any bytes can be written to a file of any name
	}
	made, err := form.Made(kind)
	if err != nil {
		return use, err
	}
	use.Joined, s.lines = s.next == nil, kind.Lines && !made.Columns
	if s.sizer != nil {
		use.Columns = s.sizer.CheckNew
	}
	from, to := formatOf(kind), formatOf(made)
	switch {
	case plain && form.Array:
		return use, errors.New("--to json: the lines of --lines are not JSON")
	case plain && made != kind:
		return use, fmt.Errorf("the lines of --lines cannot be written as %s", made.Title)
	case made.Columns && to == nil:
		return use, fmt.Errorf("this program cannot write %s", made.Title)
	case from != nil:
		s.to = s.newCopied(from, made)
	case made == kind && !form.Array:
		s.to = s.newLines(kind)
	default:
		c := s.newConverted(to)
		s.to, use.Objects, use.Check, use.Learn = c, true, jsonscan.Check, c.learn
		if to != nil {
			use.Check = to.Check
		}
		if s.next == nil {
			err = c.begin(s.w)
		}
	}
	return use, err
}

// Gather is like Keep, but the record must stay unchanged in memory until Flush. Lines that are
// adjacent in memory are written with one call.
func (s *Sink) Gather(rec *record.Record) error { return s.to.Gather(rec, 1) }

// Flush writes the gathered records.
func (s *Sink) Flush() error { return s.to.Flush() }

// Close writes the rest of the output. The caller must call it after the last record.
func (s *Sink) Close() error { return s.to.Close() }

// Keep writes a record. The caller must pass the kept records in reading order.
func (s *Sink) Keep(rec *record.Record) error { return s.KeepSized(rec, 1) }

// KeepSized is like Keep, but also receives the number of records in the cluster of the kept
// record. If the size field cannot be added to the record, KeepSized returns a [record.SyntaxError].
func (s *Sink) KeepSized(rec *record.Record, size int64) error {
	if err := s.to.Gather(rec, size); err != nil {
		return err
	}
	return s.to.Flush()
}

// CheckSized returns the SyntaxError that KeepSized would return, but writes nothing.
func (s *Sink) CheckSized(rec *record.Record) error { return s.to.Check(rec) }

// KeepCut writes a record without the given parts of its text. The parts must be in ascending order
// and must not overlap. If the record cannot be cut, KeepCut returns a [record.SyntaxError].
func (s *Sink) KeepCut(c *Cutter, rec *record.Record, parts []Range) error {
	return s.to.Cut(c, rec, parts)
}

// Lines reports whether the records read so far are lines (JSON or plain) and are not converted to
// Parquet.
func (s *Sink) Lines() bool { return s.lines }

// FromLines reports whether the records read so far were JSON lines or plain lines.
func (s *Sink) FromLines() bool { return s.rd.Kind().Lines }

// Preflight opens and closes every input to find faults before the run. It returns an error for
// inputs of different kinds, for records that cannot be written in this form and with these sizes, and
// for Parquet files with different schemas if there is only one output. kind is the kind of the
// inputs. Preflight reads at most the first batch of each input.
func Preflight(in record.Input, opt record.Options, form dataform.Form, sizes *Sizes, oneOutput bool) (kind dataform.Kind, err error) {
	opt.Expect = 0
	rd, err := record.NewReader(in, opt)
	if err != nil {
		return kind, err
	}
	s := New(rd, io.Discard, form, sizes)
	defer func() {
		files, _ := rd.Files()
		for _, f := range files {
			f.Close() // does nothing if f is nil
		}
	}()
	var check func(*record.Record) error
	if s.sizer.addsField() {
		check = s.CheckSized
	}
	if err := rd.Preflight(check); err != nil {
		return kind, err
	}
	if c, ok := s.to.(*copied); ok && c.form.Kind.Columns && oneOutput {
		files, _ := rd.Files()
		files, _ = withoutEmpty(files, nil)
		err = c.format.Alike(files)
	}
	return rd.Kind(), err
}

// A Format writes the files of a kind that does not consist of lines. The package that implements a
// format registers it, so a tool links the code of a format only if it imports that package.
type Format struct {
	Kind dataform.Kind
	// Copy writes the selected records of the files to w as one file of the format. It changes
	// the schema and the values only to apply cuts and to add sizes.
	Copy func(w io.Writer, files []*os.File, how dataform.Packing, what Selection) error
	// Alike returns an error unless Copy can join the files into one.
	Alike func(files []*os.File) error
	// Lines writes the selected records of the files to w as JSON lines.
	Lines func(w io.Writer, files []*os.File, what Selection) error
	// Check returns an error unless Writer can convert the line.
	Check func(line []byte) error
	// Writer returns a writer that converts JSON lines to the format and writes them to w.
	Writer func(w io.Writer, how dataform.Packing) LineWriter
}

// A LineWriter converts lines to another format. The caller passes each line without its line end.
type LineWriter interface {
	Learn(line []byte) error // adds the line's columns to the schema without writing the line
	WriteLine([]byte) error
	Close() error
}

var formats = map[dataform.Kind]*Format{}

// Register adds a format. It must be called only from init functions.
func Register(f *Format) { formats[f.Kind] = f }

// formatOf returns the registered format of a kind, or nil if the kind consists of lines.
func formatOf(kind dataform.Kind) *Format { return formats[kind] }
