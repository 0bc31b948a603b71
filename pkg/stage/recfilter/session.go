package recfilter

import (
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/record"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// A session judges all records, and writes decisions, or what passes.
type session struct {
	e     *tool.Env
	judge *judge
	apply bool
	sink  *record.Sink
	read  int64 // records, bad ones too
	counts
}

// rulings are the verdicts on a batch, one a record, and the lines that say so.
type rulings struct {
	verdicts []verdict
	lines    []byte
}

func judgeAll(e *tool.Env, rd *record.Reader, j *judge, o *Options) error {
	s := &session{e: e, judge: j, apply: o.Apply, sink: new(record.Sink), counts: counts{reasons: map[string]int64{}}}
	var err error
	if s.apply {
		s.sink, err = e.Sink(rd, "")
	} else {
		err = lines.Header(e, line.Decision{})
	}
	if err == nil {
		err = tool.Batches(e, rd, s.worker, s.emit)
	}
	if err == nil && s.apply {
		err = s.sink.Close()
	}
	if err == nil {
		err = s.check(s.read)
	}
	if err != nil {
		return err
	}
	return e.WriteStats(o.Stats, &s.counts)
}

// worker returns what one thread does with a batch.
func (s *session) worker() func(*record.Batch) rulings {
	bench, format := &bench{judge: s.judge}, lines.Format(s.e)
	return func(b *record.Batch) rulings {
		out := rulings{verdicts: make([]verdict, len(b.Records))}
		for i := range b.Records {
			rec := &b.Records[i]
			if rec.Err != nil {
				continue
			}
			out.verdicts[i] = bench.verdict(rec.Text)
			if !s.apply {
				out.lines = out.verdicts[i].decision(rec.ID).Append(out.lines, format)
			}
		}
		return out
	}
}

// decision returns what the verdict means for a record.
func (v verdict) decision(id []byte) line.Decision {
	if v.reason == "" {
		return line.Decision{Verdict: line.Keep, ID: id}
	}
	return line.Decision{Verdict: line.Drop, ID: id, Score: cell.Float(v.score), Rule: []byte(v.reason)}
}

func (s *session) emit(b *record.Batch, out rulings) error {
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
