package recfilter

import (
	"math"

	"doppel/pkg/language"
	"doppel/pkg/line"
	"doppel/pkg/quality"
	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// writeScores writes the metrics of all records.
func writeScores(e *tool.Env, rd *record.Reader) error {
	if err := lineio.Titles(e, metricLine{}); err != nil {
		return err
	}
	return tool.MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) {
		var text quality.Text
		var detector language.Detector
		format := lineio.Format(e)
		return func(dst []byte, rec *record.Record) ([]byte, error) {
			text.Set(rec.Text)
			m := metricLine{rec.ID, detector.Detect(rec.Text), language.Code(rec.Text), &text}
			return m.Append(dst, format), nil
		}
	})
}

// A metricLine is an output line with the metrics of a record's text.
type metricLine struct {
	id       []byte
	language language.Result
	code     float64
	text     *quality.Text // nil if only the names of the metrics are needed
}

// Append appends the line to dst.
func (t metricLine) Append(dst []byte, f line.Format) []byte {
	w := f.Begin(dst)
	w.Bytes("id", t.id)
	w.Bytes("language", []byte(t.language.Language))
	w.Float("confidence", t.language.Confidence)
	w.Float("code", t.code)
	for _, m := range quality.Metrics {
		x := math.NaN()
		if t.text != nil {
			x = m.Measure(t.text)
		}
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			w.None(m.Name)
		case m.Kind == quality.Count:
			w.Int(m.Name, int64(x))
		default:
			w.Float(m.Name, x)
		}
	}
	return w.End()
}
