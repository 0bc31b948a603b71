package recfilter

import (
	"errors"
	"unicode/utf8"

	"doppel/pkg/language"
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/msg"
	"doppel/pkg/quality"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// A judge holds the criteria for records. It is not modified, so goroutines can share it.
type judge struct {
	rules     quality.Rules
	reasons   map[*quality.Rule]string // reason given in decisions, for each rule
	language  *Language
	languages map[string]bool // codes of the languages that pass; nil if all pass
	uncertain string          // reason given if the language is uncertain
}

// newJudge returns a judge that applies the criteria in the options.
func newJudge(o *Options) (*judge, error) {
	j := &judge{language: &o.Language, reasons: map[*quality.Rule]string{}}
	j.uncertain = reason("confidence", quality.Below, o.Language.Confidence)
	var err error
	if j.rules, err = o.Quality.rules(); err != nil {
		return nil, err
	}
	for _, name := range o.Language.Languages {
		code, err := language.Parse(name)
		if err != nil {
			return nil, msg.WithHint(tool.UsageError("--languages: %w", err), "recfilter(1) lists the languages")
		}
		if j.languages == nil {
			j.languages = map[string]bool{}
		}
		j.languages[code] = true
	}
	if !o.Quality.given() && j.languages == nil {
		j.rules, _ = quality.FindPreset("default")
	}
	for i := range j.rules {
		r := &j.rules[i]
		j.reasons[r] = reason(r.Metric.Name, r.Op, r.Limit)
	}
	return j, nil
}

// reason formats the comparison of a metric with a limit, such as length<5, as the reason that a
// decision gives.
func reason(metric string, op quality.Op, limit float64) string {
	return string(cell.Bound{Name: metric, Op: string(op), Limit: limit}.Append(nil))
}

// A verdict says whether and why a record is dropped.
type verdict struct {
	reason string  // "" if the record is kept
	score  float64 // value of the metric in the reason
}

// A judgeWorker judges texts with a shared judge. It is not safe for concurrent use.
type judgeWorker struct {
	*judge
	text     quality.Text
	detector language.Detector
}

// verdict returns the first reason to drop the text. It checks the language first, then the rules
// in their order.
func (b *judgeWorker) verdict(text []byte) verdict {
	least := b.language.MinTextLength
	if b.languages != nil && len(text) >= least && (len(text) >= utf8.UTFMax*least || utf8.RuneCount(text) >= least) {
		r := b.detector.Identify(text)
		switch {
		case !b.languages[r.Language]:
			return verdict{"language=" + r.Language, r.Confidence}
		case r.Confidence < b.language.Confidence:
			return verdict{b.uncertain, r.Confidence}
		}
	}
	if len(b.rules) == 0 {
		return verdict{}
	}
	b.text.Set(text)
	broken, x := b.rules.Check(&b.text)
	return verdict{b.reasons[broken], x}
}

// rulings holds the verdicts on the records of a batch, and the decisions as lines.
type rulings struct {
	verdicts []verdict
	lines    []byte
}

// judgeBatch judges the records of a batch. If the decisions are wanted, it also formats them as
// lines.
func (b *judgeWorker) judgeBatch(batch *record.Batch, f line.Format, wanted bool) rulings {
	out := rulings{verdicts: make([]verdict, len(batch.Records))}
	for i := range batch.Records {
		rec := &batch.Records[i]
		if rec.Err != nil {
			continue
		}
		var v verdict
		if !rec.Missing { // a record without a text is kept
			v = b.verdict(rec.Text)
		}
		if out.verdicts[i] = v; !wanted {
			continue
		}
		d := line.Decision{Verdict: line.Keep, ID: rec.ID}
		if v.reason != "" {
			d = line.Decision{Verdict: line.Drop, ID: rec.ID, Score: cell.Float(v.score), Rule: []byte(v.reason)}
		}
		out.lines = d.Append(out.lines, f)
	}
	return out
}

// judgeRecords judges all records. It writes decisions or, with --apply, the records that pass.
func (o *Options) judgeRecords(e *tool.Env, rd *record.Reader) error {
	j, err := newJudge(o)
	if err != nil {
		return err
	}
	var sink *write.Sink // nil unless records are written
	if o.Apply {
		sink, err = e.Sink(rd, dataform.Kind{})
	} else {
		err = lineio.Header(e, line.Decision{})
	}
	if err != nil {
		return err
	}
	newWork := func() func(*record.Batch) rulings {
		bench, format := &judgeWorker{judge: j}, lineio.Format(e)
		return func(b *record.Batch) rulings { return bench.judgeBatch(b, format, !o.Apply) }
	}
	c := tool.Counts{Reasons: map[string]int64{}}
	err = tool.Batches(e, rd, newWork, func(b *record.Batch, out rulings) error {
		for i, v := range out.verdicts {
			switch {
			case errors.Is(b.Records[i].Err, record.ErrMissing):
				c.Missing++
			case b.Records[i].Err != nil:
				c.Unread++
			case v.reason != "":
				c.Dropped++
				c.Reasons[v.reason]++
			default:
				c.Kept++
				if !o.Apply {
					continue
				}
				if err := sink.Gather(&b.Records[i]); err != nil {
					return err
				}
			}
		}
		if o.Apply {
			return sink.Flush()
		}
		_, err := e.Out.Write(out.lines)
		return err
	})
	if err == nil && o.Apply {
		err = sink.Close()
	}
	if err != nil {
		return err
	}
	return e.WriteStats(o.Stats, c)
}
