// Package lineio reads the lines that an earlier stage wrote, as columns or as JSON objects, and
// handles bad lines according to -k.
package lineio

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/kind"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool"
)

// Format returns the format in which the run writes lines.
func Format(e *tool.Env) line.Format { return line.Format{JSON: e.JSON, Null: e.Null} }

// FormatOf returns the format in which the run writes lines to a further output. The suffix of the
// output's name selects JSON lines or TSV; without such a suffix, the format is that of Format.
func FormatOf(e *tool.Env, name string) line.Format {
	f := Format(e)
	if kind := dataform.KindOf(name); kind.Name != "" {
		f.JSON = kind.Lines
	}
	return f
}

// A Row is a line to write, usually of a type in package line. Append appends the line to dst or,
// if f.Names is set, the names of its columns.
type Row interface {
	Append(dst []byte, f line.Format) []byte
}

// Header writes the names of the columns of a row, if --header is given. It must be called before
// any row is written.
func Header(e *tool.Env, row Row) error { return header(e, e.Header, row) }

// Titles is like Header, for rows with many columns. Unless the rows are JSON objects, it always
// writes the names of the columns to a terminal, because people need them.
func Titles(e *tool.Env, row Row) error {
	_, terminal := e.Terminal()
	return header(e, e.Header || terminal && !e.JSON, row)
}

func header(e *tool.Env, wanted bool, row Row) error {
	if !wanted {
		return nil
	}
	f := Format(e)
	f.Names = true
	if _, err := e.Out.Write(row.Append(nil, f)); err != nil {
		return err
	}
	return e.Out.Flush() // so that the next program in the pipe can reject wrong columns early
}

// Open returns a reader of the lines of the named files, or of standard input.
func Open(e *tool.Env, names []string) (*record.Reader, error) {
	return record.NewReader(Input(e, names), Options(e))
}

// Options returns the options of a reader of lines that a tool wrote. A last line without a line end
// is an error, because a part of an id may be missing.
func Options(e *tool.Env) record.Options {
	return record.Options{Lines: true, Sealed: true, Ended: true, Null: e.Null}
}

// Input returns the named inputs. A note is printed about files that an earlier version sealed.
func Input(e *tool.Env, names []string) record.Input {
	in := e.Input(names)
	in.Sealed = func(name, note string) { e.NoteOnce("%s: %s", name, note) }
	return in
}

// First returns the first line of a file. The error of a file without lines is io.EOF.
func First(e *tool.Env, name string) ([]byte, error) {
	var b record.Batch
	rd, err := Open(e, []string{name})
	if err == nil {
		err = rd.Next(&b)
	}
	if err != nil {
		return nil, err
	}
	return b.Records[0].Raw, nil
}

// Bad adds the position of a line to an error in the line, and returns the resulting error. With
// -k, it reports this error and returns nil instead.
func Bad(e *tool.Env, rec *record.Record, err error) error { return e.Skip(At(rec, err)) }

// At adds the position of a line to an error in the line, and says of what kind the line is if that
// explains the error.
func At(rec *record.Record, err error) error {
	missing, lacks := errors.AsType[*line.MissingError](err)
	invalid, differs := errors.AsType[*line.ValueError](err)
	is := ""
	if lacks || differs {
		is = kind.Of(rec.Raw)
	}
	switch {
	case rec.Line == 1 && bytes.HasPrefix(rec.Raw, []byte("PAR1")):
		err = msg.WithHint(errors.New("the file is Parquet, not lines"), "convert the input: {reccat} --to jsonl %s |", rec.Name)
	case lacks && !bytes.Contains(rec.Raw, []byte("\t")) && len(bytes.FieldsFunc(rec.Raw, isBlankOrComma)) == missing.Wanted:
		err = fmt.Errorf("%w: a tab separates columns, not a blank or comma", err)
	case is != "" && lacks:
		err = fmt.Errorf("%w: the line is from a file of %s", err, is)
	case is != "":
		err = fmt.Errorf("invalid %s: the line is from a file of %s", invalid.Column, is)
	}
	return rec.At(withSource(err))
}

func isBlankOrComma(r rune) bool { return r == ' ' || r == ',' }

// Refuse returns an error if a line is of a kind (see kind.Of) that a tool would read as another
// kind: as the wanted one, which is in plural.
func Refuse(text []byte, wanted string, kinds ...string) error {
	if is := kind.Of(text); slices.Contains(kinds, is) {
		return fmt.Errorf("want %s: the line is from a file of %s", wanted, is)
	}
	return nil
}

// Each calls the function parse with every line of the named files, or of standard input, in input
// order. If parse returns an error, Each passes it to Bad.
func Each(e *tool.Env, names []string, parse func(text []byte) error) error {
	rd, err := Open(e, names)
	if err != nil {
		return err
	}
	return tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := parse(rec.Raw); err != nil {
			return Bad(e, rec, err)
		}
		return nil
	})
}

// sources maps the columns of lines to a hint about the programs that write such lines.
var sources = map[string]string{
	"id scheme signature":          "{recsign} writes signatures of records, as in: {recsign} FILE | {lshpairs}",
	"key id":                       "{lshkeys} writes keys of signatures, as in: {recsign} FILE | {lshkeys} | LC_ALL=C sort",
	"a b":                          "{lshpairs} writes pairs, as in: {recsign} FILE | {lshpairs}",
	"a b score":                    "{jaccard} scores pairs, as in: {recsign} FILE | {lshpairs} | {jaccard} --records FILE",
	"verdict id kept score reason": "{dupgroup}, {jaccgroup} and {recfilter} write decisions",
}

// withSource adds a hint, taken from sources, to an error about missing columns, unless the error
// has a hint.
func withSource(err error) error {
	var missing *line.MissingError
	if hinted := interface{ Hint() string }(nil); errors.As(err, &hinted) {
		return err // the error has a better hint
	}
	if errors.As(err, &missing) && sources[missing.Columns] != "" {
		return msg.WithHint(err, "%s", msg.Tools(sources[missing.Columns]))
	}
	return err
}
