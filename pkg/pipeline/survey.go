package pipeline

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync/atomic"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/method"
	"doppel/pkg/plan"
	"doppel/pkg/plan/forecast"
	"doppel/pkg/plan/parts"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/topk"
)

// A survey holds the results of reading a part of a dataset.
type survey struct {
	data      forecast.Data
	sample    forecast.Sample
	bands     int     // number of keys per record
	signature float64 // total size of a signature and its scheme, in bytes

	read  []string // names of the files read
	bytes int64    // total size of the files read, in bytes
	seen  int64    // number of records in the files read
}

// fewFiles is the minimum number of files to read, if the dataset has that many. A sample of
// several files shows how many duplicates are in the same file and how many are in different files.
const fewFiles = 8

// survey reads some of the files, draws a sample of their records, and signs the sample.
func (f *Fuzzy) survey(e *tool.Env, operands []string) (*survey, error) {
	files, sizes, err := dataFiles(operands)
	if err != nil {
		return nil, err
	}
	s, d := &survey{}, (*sampler)(nil)
	if d, err = newSampler(f.Plan.Sample); err != nil {
		return nil, err
	}
	defer d.file.Close()
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(topk.Draw(0, int64(a)), topk.Draw(0, int64(b))) })
	for _, i := range order {
		if len(s.read) >= fewFiles && s.seen >= int64(f.Plan.Sample) {
			break
		}
		n, err := d.readFile(e, files[i], i)
		if err != nil {
			return nil, err
		}
		s.read, s.bytes, s.seen = append(s.read, files[i]), s.bytes+sizes[i], s.seen+n
	}
	total, batches := forecast.Listing{Files: int64(len(files))}, len((&parts.Plan{Shards: files, Batch: int64(f.Job.Batch)}).Batches())
	for i, name := range files {
		total.Bytes, total.Names = total.Bytes+sizes[i], total.Names+int64(len(name))
	}
	if name := f.Plan.Sizes; name != "" {
		whole, err := listing(e, name, files)
		if err == nil && whole.Bytes < total.Bytes {
			err = fmt.Errorf("%s: lists %d bytes, but the operands, which are a sample of these files, have %d", name, whole.Bytes, total.Bytes)
		}
		if err != nil {
			return nil, err
		}
		// Make one batch per file, because the makefile does not know the sizes of remote files.
		total, batches = whole, int(whole.Files)
	}
	drawn := d.finish()
	if len(drawn) == 0 {
		return nil, fmt.Errorf("%s: no records", files[0])
	}
	s.sample.Frame = forecast.Frame{Files: float64(s.bytes) / float64(total.Bytes), Records: float64(len(drawn)) / float64(s.seen)}
	s.data.Bytes, s.data.Files, s.data.Batches = float64(total.Bytes), float64(total.Files), float64(batches)
	s.data.Records = float64(s.seen) / s.sample.Frame.Files
	s.data.ID = float64(total.Names)/float64(total.Files) + 1 + max(1, math.Ceil(math.Log10(s.data.Records/float64(total.Files))))
	return s, f.signSample(e, s, d, drawn)
}

// listing reads a listing of the whole dataset, of which the given files are a part. It returns an
// error if a listed file has an extension that none of the given files has.
func listing(e *tool.Env, name string, files []string) (forecast.Listing, error) {
	in, err := e.Open(name)
	if err != nil {
		return forecast.Listing{}, err
	}
	defer in.Close()
	l, err := forecast.ReadListing(in, endings(files))
	switch {
	case err != nil:
		return l, fmt.Errorf("%s:%w", in.Name, err)
	case l.Bytes == 0:
		return l, fmt.Errorf("%s: lists no files, or only empty ones", in.Name)
	}
	return l, nil
}

// signSample signs the drawn records and adds their keys to the sample.
func (f *Fuzzy) signSample(e *tool.Env, s *survey, d *sampler, drawn []drawnText) error {
	chain := *f
	chain.Records = record.Options{Fields: []string{flags.Text}} // the sample has no field other than the text
	b := &plan.Builder{Env: e}
	texts := b.Scratch("the sample")
	keyer, next, bytes := method.NewAnyKeyer(f.Pair.Keys.Options), 0, 0
	sign := chain.sign().On(texts.Path())
	b.Add(
		plan.Step{Source: &plan.Source{Open: func() (io.ReadCloser, error) { return d.open(drawn) }}, Into: texts},
		plan.Step{Stages: []plan.Stage{sign, plan.Tool("doppel fuzzy", &plan.System{Do: func(e *tool.Env) error {
			lines := bufio.NewScanner(e.Stdin)
			lines.Buffer(nil, 1<<20) // enough for a signature of 65,536 slots of 32 bits
			for lines.Scan() {
				var signature line.Signature
				if err := signature.Parse(lines.Bytes()); err != nil {
					return err
				}
				keys, err := keyer.Append(nil, signature)
				if err != nil {
					return err
				}
				one, file := drawn[next], drawn[next].file
				// If only one file was read, treat each record as a separate file.
				if len(s.read) == 1 && s.sample.Frame.Files < 1 {
					file = next
				}
				s.sample.Add(file, int(one.ordinal), one.size, keys)
				bytes += len(signature.Scheme) + len(signature.Body) + 3
				s.bands = max(s.bands, len(keys))
				next++
			}
			return lines.Err()
		}})}},
	)
	err := b.Do(io.Discard)
	s.signature = float64(bytes) / float64(max(1, next))
	return err
}

// A sampler draws records at random: it hashes each ordinal to a number, the draw, and keeps the
// records with the smallest draws. The texts of these records are written to a scratch file. If
// another record later replaces one of them, the text of the replaced record stays in the file. For
// a sample of n out of N records, the file has about n(1+ln(N/n)) texts.
type sampler struct {
	size  int
	below atomic.Uint64 // only records with draws below this can be in the sample
	held  []drawnText
	file  *os.File
	out   *bufio.Writer
	at    int64
}

// A drawnText describes a drawn record and the position of its text in the scratch file.
type drawnText struct {
	draw    uint64
	file    int
	ordinal int64
	at      int64
	size    int
}

func newSampler(size int) (*sampler, error) {
	file, err := spill.Create()
	if err != nil {
		return nil, err
	}
	d := &sampler{size: size, file: file, out: bufio.NewWriterSize(file, 1<<16)}
	d.below.Store(math.MaxUint64)
	return d, nil
}

// readFile reads a file, draws some of its records, and returns the total number of its records.
func (d *sampler) readFile(e *tool.Env, name string, number int) (records int64, err error) {
	opt := e.Records
	opt.ID, opt.WithFilename, opt.Expect = "", false, 0
	draw := func(ordinal int64) uint64 { return topk.Draw(uint64(number), ordinal) }
	opt.Skip = func(ordinal int64) bool { return draw(ordinal) >= d.below.Load() }
	rd, err := record.NewReader(e.Input([]string{name}), opt)
	if err != nil {
		return 0, err
	}
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		records++
		one := drawnText{draw: draw(rec.Ordinal), file: number, ordinal: rec.Ordinal, at: d.at, size: len(rec.Text)}
		if one.draw >= d.below.Load() {
			return nil
		}
		d.held = append(d.held, one)
		d.at += int64(one.size)
		if len(d.held) == 2*d.size {
			d.trim()
		}
		_, err := d.out.Write(rec.Text)
		return err
	})
	return records, err
}

// trim keeps only the d.size records with the smallest draws.
func (d *sampler) trim() {
	if len(d.held) <= d.size {
		return
	}
	slices.SortFunc(d.held, func(a, b drawnText) int { return cmp.Compare(a.draw, b.draw) })
	d.below.Store(d.held[d.size].draw)
	d.held = d.held[:d.size]
}

// finish returns the drawn texts in input order.
func (d *sampler) finish() []drawnText {
	d.trim()
	slices.SortFunc(d.held, func(a, b drawnText) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.ordinal, b.ordinal))
	})
	return d.held
}

// open returns a reader of the drawn texts as JSON lines.
func (d *sampler) open(drawn []drawnText) (io.ReadCloser, error) {
	return io.NopCloser(&textLines{d: d, drawn: drawn}), d.out.Flush()
}

// textLines is an io.Reader that returns drawn texts as JSON lines.
type textLines struct {
	d          *sampler
	drawn      []drawnText
	text, line []byte
	rest       []byte // part of line that Read has not returned yet
}

func (t *textLines) Read(p []byte) (int, error) {
	if len(t.rest) == 0 {
		if len(t.drawn) == 0 {
			return 0, io.EOF
		}
		one := t.drawn[0]
		t.drawn, t.text = t.drawn[1:], slices.Grow(t.text[:0], one.size)[:one.size]
		if n, err := t.d.file.ReadAt(t.text, one.at); n < one.size {
			return 0, err
		}
		t.line = append(cell.AppendJSON(append(t.line[:0], `{"text":`...), t.text), "}\n"...)
		t.rest = t.line
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}
