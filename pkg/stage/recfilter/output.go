package recfilter

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// counts are what --stats writes.
type counts struct {
	Records int64            `json:"records"`
	Kept    int64            `json:"kept"`
	Dropped int64            `json:"dropped"`
	Unread  int64            `json:"unread,omitempty"` // bad records, under -k
	Reasons map[string]int64 `json:"reasons"`
}

func (c *counts) add(v verdict) {
	c.Records++
	if v.reason == "" {
		c.Kept++
		return
	}
	c.Dropped++
	c.Reasons[v.reason]++
}

// write writes the counts to the named file, unless that is "". No record may
// be missing in them.
func (c *counts) write(name string, read int64) error {
	if c.Records+c.Unread != read || c.Kept+c.Dropped != c.Records {
		return fmt.Errorf("%d records read, but %d kept and %d dropped", read, c.Kept, c.Dropped)
	}
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false) // reasons hold < and >
	return errors.Join(enc.Encode(c), f.Close())
}

// A session judges all records, and writes decisions, or what passes.
type session struct {
	e     *tool.Env
	judge *judge
	apply bool
	sink  *record.Sink
	read  int64 // records, bad ones too
	counts
}

// judged is the verdicts on a batch, one a record, and the lines that say so.
type judged struct {
	verdicts []verdict
	lines    []byte
}

func judgeAll(e *tool.Env, rd *record.Reader, j *judge, o *options) error {
	s := &session{e: e, judge: j, apply: o.apply, sink: record.NewSink(rd, e.Out), counts: counts{Reasons: map[string]int64{}}}
	if err := tool.Batches(e, rd, s.worker, s.emit); err != nil {
		return err
	}
	if s.apply {
		if err := s.sink.Close(); err != nil {
			return err
		}
	}
	return s.write(o.stats, s.read)
}

// worker returns what one thread does with a batch.
func (s *session) worker() func(*record.Batch) judged {
	bench, enc := &bench{judge: s.judge}, tsv.Encoder{Stream: tsv.Decisions, JSON: s.e.JSON}
	return func(b *record.Batch) judged {
		out := judged{verdicts: make([]verdict, len(b.Records))}
		for i := range b.Records {
			rec := &b.Records[i]
			if rec.Err != nil {
				continue
			}
			out.verdicts[i] = bench.verdict(rec.Text)
			if !s.apply {
				out.lines = appendDecision(out.lines, &enc, rec.ID, out.verdicts[i])
			}
		}
		return out
	}
}

func (s *session) emit(b *record.Batch, out judged) error {
	for i, v := range out.verdicts {
		s.read++
		if b.Records[i].Err != nil {
			s.Unread++
			continue
		}
		s.add(v)
		if s.apply && v.reason == "" {
			if err := s.sink.Gather(&b.Records[i]); err != nil {
				return err
			}
		}
	}
	if err := s.sink.Flush(); err != nil {
		return err
	}
	_, err := s.e.Out.Write(out.lines)
	return err
}

func appendDecision(dst []byte, enc *tsv.Encoder, id []byte, v verdict) []byte {
	enc.Begin(dst)
	if v.reason == "" {
		enc.Word("keep")
		enc.Bytes(id)
		enc.None()
		enc.None()
		enc.None()
		return enc.End()
	}
	enc.Word("drop")
	enc.Bytes(id)
	enc.None()
	enc.Float(v.score)
	enc.Word(v.reason)
	return enc.End()
}
