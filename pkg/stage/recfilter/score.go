package recfilter

import (
	"math"

	"doppel/pkg/language"
	"doppel/pkg/quality"
	"doppel/pkg/record"
	"doppel/pkg/tsv"
)

// scores are the columns of --score.
var scores = func() tsv.Stream {
	s := tsv.Stream{"id", "language", "confidence", "code"}
	for _, m := range quality.Metrics {
		s = append(s, m.Name)
	}
	return s
}()

// scoring returns the function that writes all metrics of a record.
func scoring(asJSON bool) func([]byte, *record.Record) ([]byte, error) {
	var text quality.Text
	var detector language.Detector
	enc := tsv.Encoder{Stream: scores, JSON: asJSON}
	return func(dst []byte, rec *record.Record) ([]byte, error) {
		r := detector.Detect(rec.Text)
		enc.Begin(dst)
		enc.Bytes(rec.ID)
		enc.Word(r.Language)
		enc.Float(r.Confidence)
		enc.Float(language.Code(rec.Text))
		text.Set(rec.Text)
		for _, m := range quality.Metrics {
			appendMetric(&enc, m, m.Measure(&text))
		}
		return enc.End(), nil
	}
}

func appendMetric(enc *tsv.Encoder, m quality.Metric, x float64) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		enc.None()
	case m.Kind == quality.Count:
		enc.Int(int64(x))
	default:
		enc.Float(x)
	}
}
