package recfilter

import (
	"math"

	"doppel/pkg/language"
	"doppel/pkg/line"
	"doppel/pkg/quality"
	"doppel/pkg/record"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// A scorer writes all metrics of a record, in one thread.
type scorer struct {
	format   line.Format
	text     quality.Text
	detector language.Detector
}

// score writes the metrics of all records.
func score(e *tool.Env, rd *record.Reader) error {
	if err := lines.Titles(e, metricLine{}); err != nil {
		return err
	}
	return tool.MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) {
		s := &scorer{format: lines.Format(e)}
		return s.append
	})
}

func (s *scorer) append(dst []byte, rec *record.Record) ([]byte, error) {
	s.text.Set(rec.Text)
	return metricLine{
		id: rec.ID, language: s.detector.Detect(rec.Text), code: language.Code(rec.Text), text: &s.text,
	}.Append(dst, s.format), nil
}

// A metricLine is the line of the metrics of a text.
type metricLine struct {
	id       []byte
	language language.Result
	code     float64
	text     *quality.Text // nil: only the names of the metrics are asked for
}

// Append appends the line to dst.
func (t metricLine) Append(dst []byte, f line.Format) []byte {
	w := f.Begin(dst)
	w.Bytes("id", t.id)
	w.Bytes("language", []byte(t.language.Language))
	w.Float("confidence", t.language.Confidence)
	w.Float("code", t.code)
	for _, m := range quality.Metrics {
		if t.text == nil {
			w.None(m.Name)
		} else {
			writeMetric(&w, m, m.Measure(t.text))
		}
	}
	return w.End()
}

func writeMetric(w *line.Writer, m quality.Metric, x float64) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		w.None(m.Name)
	case m.Kind == quality.Count:
		w.Int(m.Name, int64(x))
	default:
		w.Float(m.Name, x)
	}
}
