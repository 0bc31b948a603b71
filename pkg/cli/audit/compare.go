package audit

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"doppel/pkg/audit"
	"doppel/pkg/msg"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/tool"
)

// compareRecords compares the records of the inputs with the records of the output. If each input
// has its own output, it compares each input with its own output. It first counts the old records,
// which are numbered before the new ones.
func (a *run) compareRecords() error {
	if n := len(a.Outputs); n > 1 && n != len(a.inputs) {
		return tool.UsageError("%d outputs for %d inputs: want one output, or one for each input", n, len(a.inputs))
	}
	for _, name := range a.olds {
		old := a.ledger.old[filepath.Clean(name)]
		old.first = a.ledger.all.first
		src, err := a.source([]string{name}, record.Options{Dialect: dialectOfOld(&a.opt), MaxRecord: a.opt.MaxRecord, Lines: a.opt.Lines, NoText: true, Torn: true})
		for err == nil {
			if _, err = src.next(); err == nil {
				old.records++
			}
		}
		src.close()
		if err != io.EOF {
			return err
		}
		a.ledger.all.first += old.records
	}
	n := len(a.inputs) / len(a.Outputs) // inputs per output
	for i, name := range a.Outputs {
		if err := a.compareOne(a.inputs[i*n:(i+1)*n], name); err != nil {
			return err
		}
	}
	a.ledger.all.records = a.records
	a.places.Seal()
	return nil
}

// A layout holds the format of some files and the options for reading them.
type layout struct {
	kind dataform.Kind
	record.Options
}

// forms returns the format and the reading options of some inputs, and those of their output.
func (a *run) forms(inputs []string, output string) (read, written layout, err error) {
	read.Options = record.Options{Dialect: a.opt.Dialect, MaxRecord: a.opt.MaxRecord, Lines: a.opt.Lines, Torn: true}
	if read.kind, err = write.Preflight(record.Input{Names: inputs}, read.Options, dataform.Form{}, nil, true); err != nil {
		return read, written, err
	}
	written.Options = read.Options
	written.CSV, written.Encoding, written.Mixed, written.NoPartitions = false, "", true, true
	written.kind, err = write.Preflight(record.Input{Names: []string{output}}, written.Options, dataform.Form{}, nil, true)
	if read.kind.Table && written.kind.Lines && dataform.KindOf(output).Name == "" {
		written.kind, written.CSV = read.kind, true // set CSV, because the name has no suffix
	}
	if told, _ := dataform.Of("", a.To); told.Kind.Name != "" && !read.Lines {
		written.kind, written.CSV = told.Kind, told.Kind == dataform.CSV && dataform.KindOf(output).Name == ""
	}
	return read, written, err
}

// dialectOfOld returns the dialect in which old records are read, which may be in another format
// than the inputs.
func dialectOfOld(o *record.Options) record.Dialect {
	d := o.Dialect
	d.Mixed = true
	return d
}

// compareOne compares some inputs with their output. If the output has a different format from the
// inputs, or its records have additional fields, it first converts the inputs with doppel's own
// code.
func (a *run) compareOne(inputs []string, output string) error {
	read, written, err := a.forms(inputs, output)
	if err != nil {
		return err
	}
	from, to := inputs, output
	cuts := a.cutter != nil
	drops := a.opt.Missing == record.MissingDrop && len(a.opt.Fields) > 0
	// The run inferred the columns from the kept records, or the converted records no longer show which
	// texts are missing: leave out the dropped ones.
	rows := written.kind.Columns
	onlyKept := read.kind != written.kind || rows && drops && !cuts
	defer a.closeScratch()
	if cuts && rows { // convert Parquet to lines, because parts can be cut only from lines
		written.kind = dataform.JSONLines
		if to, _, err = a.converted([]string{output}, written.Options, written.kind, nil, nil); err != nil {
			return err
		}
	}
	adds := a.Sizes.ClusterSize != "" || record.JoinsPartitions(inputs, &read.Options)
	convert := onlyKept || read.kind != written.kind || adds
	in := &inputItems{run: a, inputs: inputs}
	if convert {
		kind := written.kind
		if rows && !read.kind.Columns {
			kind = dataform.Parquet
		}
		name, origins, err := a.convertedInputs(in, read.Options, kind, onlyKept)
		if err == nil && kind != written.kind {
			name, _, err = a.converted([]string{name}, written.Options, written.kind, nil, nil)
		}
		if err != nil {
			return err
		}
		from, in.origins = []string{name}, origins
		in.sameLines = len(inputs) == 1 && read.kind == written.kind && !onlyKept
		read = written
		read.CSV = read.kind.Table // set CSV, because the scratch file has no suffix
	}
	drops = drops && !onlyKept
	if cuts || drops {
		read.Fields, read.Missing, read.Torn = a.opt.Fields, a.opt.Missing, false
	}
	read.NoPartitions = read.NoPartitions || read.kind.Columns // the texts to compare are whole rows
	src, err := a.source(from, read.Options)
	if err != nil {
		return err
	}
	defer src.close()
	in.source, src.texts = src, drops
	if !convert && !cuts {
		src.places = a.places
	}
	out, err := a.source([]string{to}, written.Options)
	if err != nil {
		return err
	}
	defer out.close()
	out.name = output
	return a.match(in, out, output)
}

// match compares the items of some inputs with the records of their output.
func (a *run) match(in *inputItems, out *source, output string) error {
	for _, s := range []*source{in.source, out} {
		if err := s.fill(); err != nil && err != io.EOF {
			return err
		}
	}
	if !bytes.Equal(in.source.rd.Header(), out.rd.Header()) {
		if err := a.report(audit.Fault{Name: output, Line: 1, Record: -1, What: "has a header that differs from " + in.inputs[0]}); err != nil {
			return err
		}
	}
	c := audit.Comparison{Input: in.next, Output: out.item, Report: a.report}
	err := c.Run()
	if err == nil {
		err = a.checkEnd(output, out)
	}
	in.close()
	a.records, a.kept, a.dropped = a.records+c.Records, a.kept+c.Kept, a.dropped+c.Dropped
	return err
}

// framed lists the magic numbers of formats in which a file marks its own end.
var framed = []string{"PAR1", "\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ"}

// checkEnd checks that the last line of an output has a newline, and that no other bytes, such as
// empty lines, are between the records.
func (a *run) checkEnd(output string, out *source) error {
	f, err := os.Open(output)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	begin, last := make([]byte, 8), make([]byte, 1)
	n, _ := f.ReadAt(begin, 0)
	begins := func(magic string) bool { return bytes.HasPrefix(begin[:n], []byte(magic)) }
	if n == 0 || slices.ContainsFunc(framed, begins) {
		return nil
	}
	if _, err := f.ReadAt(last, info.Size()-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		return a.report(audit.Fault{Name: output, Record: out.read - 1, What: "of the output is incomplete: the file is cut short"})
	}
	more := info.Size() - out.bytes
	if header := out.rd.Header(); header != nil {
		more -= int64(len(header)) + 1
	}
	if more != 0 {
		return a.report(audit.Fault{Name: output, Record: -1, What: fmt.Sprintf("has %s more than its records", msg.Number(more, "byte"))})
	}
	return nil
}

// A source yields the records of some files one at a time. Other goroutines read them, and compute
// their hashes.
type source struct {
	name   string // name of the file that the records are from, if the source reads a scratch file
	e      *tool.Env
	rd     *record.Reader
	places *record.Places // receives the positions of the records; nil if not needed
	texts  bool           // decode all texts, to find the records without one
	seed   maphash.Seed
	pull   func() (hashed, error, bool) // returns the next batch; nil before the first one is read
	stop   func()                       // ends the reading
	batch  hashed
	at     int   // index of the next record in the batch
	read   int64 // number of records returned by next
	bytes  int64 // total length of these records, including newlines
	end    error // error of the reader, such as io.EOF, after which no batch is read
}

// A hashed is a batch of records, and the hashes of their bytes.
type hashed struct {
	records []record.Record
	hashes  *[]uint64
}

// source returns a source of the records of some files. The caller must close it.
func (a *run) source(names []string, opt record.Options) (*source, error) {
	rd, err := record.NewReader(a.e.Input(names), opt)
	return &source{e: a.e, rd: rd, seed: a.seed}, err
}

// open begins to read. The options of the source must not change any more.
func (s *source) open() {
	spares := par.NewSpares[[]uint64](s.e.Jobs)
	hash := func() func(*record.Batch) *[]uint64 {
		return func(b *record.Batch) *[]uint64 {
			if b.Load(); len(b.Records) > 0 && (s.texts || b.Records[0].Raw == nil) {
				b.Decode()
			}
			hashes := spares.Get()
			*hashes = (*hashes)[:0]
			for i := range b.Records {
				*hashes = append(*hashes, maphash.Bytes(s.seed, bytesOf(&b.Records[i])))
			}
			return hashes
		}
	}
	s.pull, s.stop = iter.Pull2(func(yield func(hashed, error) bool) {
		err := tool.RawBatches(s.e, s.rd, hash, func(b *record.Batch, hashes *[]uint64) error {
			defer spares.Put(hashes)
			s.places.Note(b)
			if !yield(hashed{b.Records, hashes}, nil) {
				return errFirst
			}
			return nil
		})
		yield(hashed{}, cmp.Or(err, io.EOF))
	})
}

// bytesOf returns the bytes of a record as it is compared.
func bytesOf(rec *record.Record) []byte {
	if rec.Raw == nil {
		return rec.Text
	}
	return rec.Raw
}

// close ends the reading.
func (s *source) close() {
	if s.stop != nil {
		s.stop()
	}
}

// fill reads the next batch if all records of the last one have been returned.
func (s *source) fill() error {
	if s.pull == nil {
		s.open()
	}
	for s.end == nil && s.at == len(s.batch.records) {
		s.at = 0
		s.batch, s.end, _ = s.pull()
	}
	return s.end
}

// next returns the next record, which is valid until the next call.
func (s *source) next() (*record.Record, error) {
	if err := s.fill(); err != nil {
		return nil, err
	}
	rec := &s.batch.records[s.at]
	s.at, s.read, s.bytes = s.at+1, s.read+1, s.bytes+int64(len(rec.Raw))+1
	return rec, nil
}

// item returns the next record as an item to compare.
func (s *source) item() (audit.Item, error) {
	rec, err := s.next()
	if err != nil {
		return audit.Item{}, err
	}
	item := audit.Item{Name: cmp.Or(s.name, rec.Name), Line: rec.Line, Record: rec.Ordinal, Bytes: bytesOf(rec), Hash: (*s.batch.hashes)[s.at-1]}
	if s.texts && rec.Missing {
		item.Dropped = "--missing drop"
	}
	if rec.Raw == nil {
		err = rec.Err
	}
	return item, err
}

// inputItems yields the records of some inputs in the form that they must have in the output.
type inputItems struct {
	*run
	source    *source
	inputs    []string
	origins   []origin // the current converted file and those after it
	sameLines bool     // converted records have the same line numbers as in the input

	leftOut sparse // ordinals of the records that are not in the converted file
	short   sparse // ordinals of the records that --min-left drops
	read    int64  // number of records returned by next

	name   string // name of the current file
	file   *space // records of the current file
	inFile int64  // ordinal of the next record in the current file
	ranges []write.Range
	buf    []byte
}

// next returns the next record as an item. It marks the item if the record is dropped; otherwise it
// removes the dropped parts of the record.
func (in *inputItems) next() (audit.Item, error) {
	var item audit.Item
	switch {
	case in.short.has(in.read):
		item.Dropped = "--min-left"
	case in.leftOut.has(in.read):
		item.Dropped = "--missing drop" // unless a decision drops the record
	default:
		var err error
		if item, err = in.source.item(); err != nil {
			return item, err
		}
	}
	item.Record = in.read
	in.read++
	if len(in.origins) > 0 {
		for item.Record >= in.origins[0].end {
			in.origins = in.origins[1:]
		}
		if item.Name = in.origins[0].name; !in.sameLines {
			item.Line = 0
		}
	}
	ordinal := in.records + item.Record
	if in.file == nil || item.Name != in.name {
		in.close()
		in.name = item.Name
		// If the ledger does not list the file, the input is a directory that contains it.
		if in.file = in.ledger.files[filepath.Clean(in.name)]; in.file == nil {
			in.file = in.ledger.files[filepath.Clean(in.inputs[0])]
		}
		in.file.first, in.inFile = in.ledger.all.first+ordinal, 0
	}
	item.Record = ordinal
	if len(in.Sizes.Repeat) > 0 {
		item.Times = in.Sizes.Repeat.Times(in.sizeOf(in.name, ordinal, in.inFile))
	}
	var err error
	switch {
	case in.ledger.all.dropped.has(ordinal) || in.file.dropped.has(in.inFile):
		item.Dropped = in.Decisions
	case item.Dropped == "" && in.cutter != nil: // not dropped by --missing
		item, err = in.cut(item)
	}
	in.inFile++
	return item, err
}

// close stores the number of records of the current file in in.file.
func (in *inputItems) close() {
	if in.file != nil {
		in.file.records = in.inFile
	}
}

// cut removes the dropped parts from a record. If too little text is left, it marks the record as
// dropped instead.
func (in *inputItems) cut(item audit.Item) (audit.Item, error) {
	cuts := in.cutsOf(item.Name, item.Record, in.inFile)
	if len(cuts) == 0 {
		return item, nil
	}
	rec := record.Record{Name: item.Name, Line: item.Line, Raw: item.Bytes}
	var err error
	if rec.Text, err = in.decoder.Text(rec.Raw); err != nil {
		return item, rec.At(err)
	}
	switch short, end := in.isShort(cuts, len(rec.Text)), cuts[len(cuts)-1].end; {
	case end > len(rec.Text):
		return item, in.decisionFault(0, item.Record, "has a part that ends at byte %d, but the text has %d bytes", end, len(rec.Text))
	case short:
		item.Dropped = "--min-left"
		return item, nil
	}
	in.ranges = in.ranges[:0]
	for _, c := range cuts {
		in.ranges = append(in.ranges, write.Range{Start: c.start, End: c.end})
	}
	in.buf, err = in.cutter.Cut(in.buf[:0], &rec, in.ranges)
	item.Bytes, item.Hash = in.buf, maphash.Bytes(in.seed, in.buf)
	return item, err
}

// isShort reports whether the run drops a record because too little is left of its text, which has
// the given size, without its dropped parts.
func (a *run) isShort(cuts []cut, size int) bool {
	left := size
	for _, c := range cuts {
		left -= c.end - c.start
	}
	return len(cuts) > 0 && cuts[len(cuts)-1].end <= size && a.MinLeft.Short(left, size)
}
