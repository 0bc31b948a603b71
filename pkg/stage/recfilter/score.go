package recfilter

import (
	"math"

	"doppel/pkg/language"
	"doppel/pkg/line"
	"doppel/pkg/quality"
	"doppel/pkg/record"
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
	return tool.MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) {
		s := &scorer{format: line.Format{JSON: e.JSON}}
		return s.append
	})
}

func (s *scorer) append(dst []byte, rec *record.Record) ([]byte, error) {
	r := s.detector.Detect(rec.Text)
	w := s.format.Begin(dst)
	w.Bytes("id", rec.ID)
	w.Bytes("language", []byte(r.Language))
	w.Float("confidence", r.Confidence)
	w.Float("code", language.Code(rec.Text))
	s.text.Set(rec.Text)
	for _, m := range quality.Metrics {
		writeMetric(&w, m, m.Measure(&s.text))
	}
	return w.End(), nil
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
