package dupreport

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"doppel/pkg/report"
	"doppel/pkg/sample"
	"doppel/pkg/stage/lines"
)

// readMeasured reads the curve of what doppel measure wrote: rows of a range of
// similarity, pairs, which share of them was found, and what is expected.
func (r *session) readMeasured() error {
	if r.opt.Measured == "" {
		return nil
	}
	err := lines.Each(r.e, []string{r.opt.Measured}, func(text []byte) error {
		if band, ok := parseBand(text); ok {
			r.bands = append(r.bands, band)
		}
		return nil
	})
	if err == nil && len(r.bands) == 0 {
		return fmt.Errorf("%s: no curve, as doppel measure writes one", r.opt.Measured)
	}
	return err
}

// parseBand reads a row; ok is false for other lines.
func parseBand(text []byte) (b report.Band, ok bool) {
	columns := bytes.Split(text, []byte{'\t'})
	if len(columns) != 4 {
		return b, false
	}
	low, high, _ := bytes.Cut(columns[0], []byte{'-'})
	values := [][]byte{low, high, columns[2], columns[3]}
	into := []*float64{&b.Low, &b.High, &b.Found, &b.Promised}
	pairs, err := strconv.ParseInt(string(columns[1]), 10, 64)
	if err != nil || pairs < 0 {
		return b, false
	}
	for i, v := range values {
		if string(v) == "-" && i >= 2 && pairs == 0 {
			continue
		}
		if *into[i], err = strconv.ParseFloat(string(v), 64); err != nil || !(0 <= *into[i] && *into[i] <= 1) {
			return b, false
		}
	}
	b.Pairs = pairs
	interval := sample.Wilson(int(math.Ceil(b.Found*float64(pairs)-1e-9)), int(pairs), sample.Confidence95) // shares are rounded down
	b.Least, b.Most = interval.Low, interval.High
	return b, b.Low < b.High
}
