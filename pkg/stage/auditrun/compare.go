package auditrun

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"doppel/pkg/audit"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// compareRecords compares the records of the inputs with those of the outputs, and learns
// how many there are.
func (a *run) compareRecords() error {
	outputs, err := a.outputsOf()
	if err != nil {
		return err
	}
	a.Outputs = outputs
	if err := a.countOld(); err != nil {
		return err
	}
	n := len(a.inputs) / len(outputs) // inputs of one output
	for i, name := range outputs {
		if err := a.compareOne(a.inputs[i*n:(i+1)*n], name); err != nil {
			return err
		}
	}
	a.ledger.all.records = a.records
	a.places.Seal()
	return nil
}

// outputsOf returns the outputs: one, or one of each input. A directory stands for the
// files in it that are called as the inputs are.
func (a *run) outputsOf() ([]string, error) {
	out := a.Outputs
	if info, err := os.Stat(out[0]); err == nil && info.IsDir() && len(out) == 1 {
		out = nil
		for _, name := range a.inputs {
			out = append(out, filepath.Join(a.Outputs[0], filepath.Base(name)))
		}
	}
	if len(out) > 1 && len(out) != len(a.inputs) {
		return nil, tool.UsageError("%d outputs of %d inputs: want one, or one of each", len(out), len(a.inputs))
	}
	return out, nil
}

// countOld finds out where the old records are among all: before the new ones.
func (a *run) countOld() error {
	next := int64(0)
	for _, name := range a.Against {
		s := a.ledger.old[filepath.Clean(name)]
		s.first = next
		src, err := a.source([]string{name}, record.Options{CSV: a.opt.CSV, MaxRecord: a.opt.MaxRecord, NoText: true, Torn: true})
		if err != nil {
			return err
		}
		for {
			if _, err = src.next(); err != nil {
				break
			}
			s.records++
		}
		if err != io.EOF {
			return err
		}
		next += s.records
	}
	a.ledger.all.first = next
	return nil
}

// compareOne compares some inputs with the output that was made of them.
func (a *run) compareOne(inputs []string, output string) error {
	kind, err := a.kindOf(output, inputs[0])
	if err != nil {
		return err
	}
	read, written, convert := inputs, output, false
	for _, name := range inputs {
		own, err := a.kindOf(name, "")
		if err != nil {
			return err
		}
		convert = convert || own != kind
	}
	cuts := len(a.ledger.cuts) > 0
	if cuts && kind == "parquet" { // parts are cut out of lines
		convert, kind = true, "jsonl"
		f, err := a.converted([]string{output}, kind)
		if err != nil {
			return err
		}
		defer f.Close()
		written = path(f)
	}
	if convert {
		f, err := a.converted(inputs, kind)
		if err != nil {
			return err
		}
		defer f.Close()
		read = []string{path(f)}
	}
	opt := record.Options{CSV: a.opt.CSV, MaxRecord: a.opt.MaxRecord, Lines: a.opt.Lines, Torn: true}
	if cuts {
		opt.Fields, opt.Torn = a.opt.Fields, false
	}
	src, err := a.source(read, opt)
	if err != nil {
		return err
	}
	opt.Fields, opt.Torn = nil, true
	out, err := a.source([]string{written}, opt)
	if err != nil {
		return err
	}
	in := &inputItems{run: a, source: src, inputs: inputs, converted: convert, places: a.places}
	if cuts {
		if in.cutter, err = record.NewCutter(a.opt); err != nil {
			return err
		}
	}
	c := audit.Comparison{Input: in.next, Output: out.item, Report: a.report}
	if err := a.compareHeaders(inputs, output, kind, convert); err != nil {
		return err
	}
	err = c.Run()
	if err == nil {
		err = a.checkEnd(output, kind, out)
	}
	in.close()
	a.records, a.kept, a.dropped = a.records+c.Records, a.kept+c.Kept, a.dropped+c.Dropped
	return err
}

// kindOf returns the kind of data in a file; one whose name does not say it has that of
// the file that it was made of.
func (a *run) kindOf(name, of string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	magic := make([]byte, 4)
	if n, _ := io.ReadFull(f, magic); string(magic[:n]) == "PAR1" {
		return "parquet", nil
	}
	kind := dataform.KindOf(name)
	switch {
	case kind == "csv" || kind == "tsv":
		return kind, nil
	case a.opt.Lines:
		return "jsonl", nil
	case a.opt.CSV && of == "" || kind == "" && a.opt.CSV:
		return "csv", nil
	case kind == "" && of != "":
		if own, err := a.kindOf(of, ""); err != nil || own != "parquet" {
			return own, err
		}
	}
	return "jsonl", nil
}

// converted returns a scratch file with the records of some files in another form, as
// doppel writes them.
func (a *run) converted(names []string, kind string) (*os.File, error) {
	f, err := spill.Create()
	if err != nil {
		return nil, err
	}
	opt := record.Options{CSV: a.opt.CSV, MaxRecord: a.opt.MaxRecord, Lines: a.opt.Lines}
	rd, err := record.NewReader(a.e.Input(names), opt)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(f, 1<<18)
	form := dataform.Form{Kind: kind}
	sink := record.NewSink(rd, out, form)
	err = tool.EachRecord(a.e, rd, sink.Keep)
	if err == nil {
		err = sink.Close()
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// path returns the name by which this process opens a scratch file.
func path(f *os.File) string { return fmt.Sprintf("/dev/fd/%d", f.Fd()) }

// compareHeaders compares the first rows of tables, which are not records.
func (a *run) compareHeaders(inputs []string, output, kind string, converted bool) error {
	if kind != "csv" && kind != "tsv" || converted {
		return nil
	}
	in, err := a.header(inputs[0])
	if err != nil {
		return err
	}
	out, err := a.header(output)
	if err != nil || bytes.Equal(in, out) {
		return err
	}
	return a.report(audit.Fault{Name: output, Line: 1, Record: -1, What: fmt.Sprintf("has another header than %s", inputs[0])})
}

// header returns the header of a table as it is there.
func (a *run) header(name string) ([]byte, error) {
	s, err := record.OpenStream(name, nil)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var header []byte
	for r, quoted := bufio.NewReader(s), false; ; {
		b, err := r.ReadByte()
		if err == io.EOF || b == '\n' && !quoted {
			return header, nil
		}
		if err != nil {
			return nil, err
		}
		quoted = quoted != (b == '"')
		header = append(header, b)
	}
}

// framed are the first bytes of files that say themselves where they end.
var framed = []string{"PAR1", "\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ"}

// checkEnd checks that the last line of an output ends, and that nothing is between the
// lines, such as empty ones.
func (a *run) checkEnd(output, kind string, out *source) error {
	f, err := os.Open(output)
	if err != nil {
		return err
	}
	defer f.Close()
	begin, last := make([]byte, 8), make([]byte, 1)
	n, _ := io.ReadFull(f, begin)
	begins := func(magic string) bool { return bytes.HasPrefix(begin[:n], []byte(magic)) }
	if n == 0 || slices.ContainsFunc(framed, begins) {
		return nil
	}
	end, err := f.Seek(-1, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err := io.ReadFull(f, last); err != nil {
		return err
	}
	if last[0] != '\n' {
		return a.report(audit.Fault{Name: output, Record: out.read - 1, What: "of the output does not end: the file is cut short"})
	}
	if kind == "csv" || kind == "tsv" {
		header, err := a.header(output)
		if err != nil {
			return err
		}
		out.bytes += int64(len(header)) + 1
	}
	if more := end + 1 - out.bytes; more != 0 {
		return a.report(audit.Fault{Name: output, Record: -1, What: fmt.Sprintf("has %s more than its records", wording.Number(more, "byte"))})
	}
	return nil
}

// A source hands out the records of some files one at a time.
type source struct {
	rd    *record.Reader
	batch record.Batch
	at    int
	read  int64 // records
	bytes int64 // of their lines, with the ends
	seen  func(*record.Batch)
	e     *tool.Env
}

func (a *run) source(names []string, opt record.Options) (*source, error) {
	rd, err := record.NewReader(a.e.Input(names), opt)
	return &source{rd: rd, at: -1, e: a.e}, err
}

// next returns the next record, which is good until the one after it is asked for.
func (s *source) next() (*record.Record, error) {
	for s.at++; s.at >= len(s.batch.Records); s.at = 0 {
		s.e.Progress.Add(len(s.batch.Records), s.batch.Size())
		if err := s.rd.Next(&s.batch); err != nil {
			s.batch.Reset(0, nil)
			return nil, err
		}
		if s.seen != nil {
			s.seen(&s.batch)
		}
		if len(s.batch.Records) > 0 && s.batch.Records[0].Raw == nil {
			s.batch.Decode()
		}
	}
	s.read, s.bytes = s.read+1, s.bytes+int64(len(s.batch.Records[s.at].Raw))+1
	return &s.batch.Records[s.at], nil
}

// item returns the next record as what is compared.
func (s *source) item() (audit.Item, error) {
	rec, err := s.next()
	if err != nil {
		return audit.Item{}, err
	}
	return itemOf(rec)
}

func itemOf(rec *record.Record) (audit.Item, error) {
	item := audit.Item{Name: rec.Name, Line: rec.Line, Record: rec.Ordinal, Bytes: rec.Raw}
	if rec.Raw == nil {
		if rec.Err != nil {
			return item, rec.Err
		}
		item.Bytes = rec.Text
	}
	return item, nil
}

// inputItems are the records of some inputs, and what they are in the output.
type inputItems struct {
	*run
	source    *source
	inputs    []string
	converted bool
	places    *record.Places
	cutter    *record.Cutter

	file   *space // of the records now
	inFile int64  // ordinal of the next one in its file
	ranges []record.Range
	buf    []byte
}

// next returns the next record.
func (in *inputItems) next() (audit.Item, error) {
	if in.source.seen == nil && !in.converted && in.cutter == nil {
		in.source.seen = in.places.Note
	}
	rec, err := in.source.next()
	if err != nil {
		return audit.Item{}, err
	}
	item, err := itemOf(rec)
	if err != nil {
		return item, err
	}
	in.enter(rec)
	ordinal := in.records + rec.Ordinal
	item.Record = ordinal
	if in.ledger.drops(in.file, ordinal, in.inFile) {
		item.Dropped = in.Decisions
	} else if in.cutter != nil {
		item.Bytes, err = in.cut(rec, ordinal, item.Bytes)
	}
	in.inFile++
	return item, err
}

// enter notes from which file a record is.
func (in *inputItems) enter(rec *record.Record) {
	name := filepath.Clean(rec.Name)
	if in.file != nil && in.file.name == name {
		return
	}
	if in.file != nil && in.converted {
		return
	}
	in.close()
	if in.file = in.ledger.files[name]; in.file == nil { // converted
		in.file = in.ledger.files[filepath.Clean(in.inputs[0])]
	}
	in.file.first, in.inFile = in.ledger.all.first+in.records+rec.Ordinal, 0
}

// close notes how many records the last file had.
func (in *inputItems) close() {
	if in.file != nil {
		in.file.records = in.inFile
	}
}

// cut returns what is left of a record.
func (in *inputItems) cut(rec *record.Record, ordinal int64, raw []byte) ([]byte, error) {
	cuts := in.ledger.cutsOf(in.file, ordinal, in.inFile)
	if len(cuts) == 0 {
		return raw, nil
	}
	if rec.Text == nil {
		one := *rec
		d, err := record.NewDecoder(in.opt)
		if err != nil {
			return nil, err
		}
		if one.Text, err = d.Text(rec.Raw); err != nil {
			return nil, rec.At(err)
		}
		rec = &one
	}
	in.ranges = in.ranges[:0]
	for _, c := range cuts {
		if c.end > len(rec.Text) {
			err := in.decisionFault(0, ordinal, "has a part that ends at byte %d of a text of %d", c.end, len(rec.Text))
			return raw, err
		}
		in.ranges = append(in.ranges, record.Range{Start: c.start, End: c.end})
	}
	var err error
	in.buf, err = in.cutter.Cut(in.buf[:0], rec, in.ranges)
	return in.buf, err
}
