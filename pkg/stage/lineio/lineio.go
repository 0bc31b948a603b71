// Package lineio reads the lines of an earlier stage, as columns or as objects, and applies
// -k to bad ones.
package lineio

import (
	"bytes"
	"errors"

	"doppel/pkg/line"
	"doppel/pkg/line/seal"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// Format returns the format in which the run writes lines.
func Format(e *tool.Env) line.Format { return line.Format{JSON: e.JSON, Null: e.Null} }

// A Row is one of the row types of package line; it knows its column names.
type Row interface {
	Append(dst []byte, f line.Format) []byte
}

// Header seals the output file if rows of this kind are stored, and writes the names of the
// columns under --header. It is called before any row is written.
func Header(e *tool.Env, row Row) error { return header(e, e.Header, row) }

// Titles is Header for rows with many columns: on a terminal it always writes the names, because
// people need them.
func Titles(e *tool.Env, row Row) error {
	_, terminal := e.Terminal()
	return header(e, e.Header || terminal && !e.JSON, row)
}

func header(e *tool.Env, wanted bool, row Row) error {
	switch row.(type) {
	case line.Signature, line.Key, line.Score, line.Distance, line.Decision: // read again after a long time
		if err := e.Seal(SealForm(e)); err != nil {
			return err
		}
	}
	if !wanted {
		return nil
	}
	f := Format(e)
	f.Names = true
	if _, err := e.Out.Write(row.Append(nil, f)); err != nil {
		return err
	}
	return e.Out.Flush() // so that the next tool in a pipe fails early
}

// SealForm returns the form in which the run writes seals.
func SealForm(e *tool.Env) seal.Form { return seal.Form{JSON: e.JSON, Null: e.Null} }

// Open returns a reader of the lines of the named files, or of standard input.
func Open(e *tool.Env, names []string) (*record.Reader, error) {
	return record.NewReader(Input(e, names), record.Options{Lines: true, Sealed: true, Null: e.Null})
}

// Input returns the inputs that the operands name. Their lines may be sealed. Changed lines from
// a pipe cause a note.
func Input(e *tool.Env, names []string) record.Input {
	in := e.Input(names)
	in.Changed = func(name string, why error) { e.Note("%s: %v", name, why) }
	return in
}

// First returns the first line of a file, if there is one. Reading the whole file reports
// any error.
func First(e *tool.Env, name string) (text []byte, ok bool) {
	var b record.Batch
	rd, err := Open(e, []string{name})
	if err != nil || rd.Next(&b) != nil || len(b.Records) == 0 {
		return nil, false
	}
	return b.Records[0].Raw, true
}

// Bad returns the error of a line with its position, which ends the run; under -k it
// reports the error and returns nil.
func Bad(e *tool.Env, rec *record.Record, err error) error {
	if rec.Line == 1 && bytes.HasPrefix(rec.Raw, []byte("PAR1")) {
		err = msg.WithHint(errors.New("the file is Parquet, not lines"), "convert it: reccat --to jsonl %s |", rec.Name)
	}
	return e.Skip(rec.At(withSource(err)))
}

// Each passes lines to parse one at a time, in input order. An error of parse is an error
// of the line.
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

// sources maps the columns of a line to a hint that names the tool which writes such lines.
var sources = map[string]string{
	"id scheme signature":          "recsign writes signatures of records, as in: recsign FILE | lshpairs",
	"key id":                       "lshkeys writes keys of signatures, as in: recsign FILE | lshkeys | LC_ALL=C sort",
	"a b":                          "lshpairs writes pairs, as in: recsign FILE | lshpairs",
	"a b score":                    "jaccard scores pairs, as in: recsign FILE | lshpairs | jaccard --records FILE",
	"verdict id kept score reason": "dupgroup, jaccgroup and recfilter write decisions",
}

// withSource adds the source of such lines to an error about missing columns.
func withSource(err error) error {
	var missing *line.MissingError
	if hinted := interface{ Hint() string }(nil); errors.As(err, &hinted) {
		return err // the error has a better hint
	}
	if errors.As(err, &missing) && sources[missing.Columns] != "" {
		return msg.WithHint(err, "%s", sources[missing.Columns])
	}
	return err
}
