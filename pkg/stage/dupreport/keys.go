package dupreport

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"doppel/pkg/fingerprint"
	"doppel/pkg/line"
	"doppel/pkg/report"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/topk"
)

// readKeys reads the list of keys that many records share, if it is given. Similar records share
// many keys, so among keys with the same example, only the most common one is shown.
func (r *session) readKeys() error {
	if r.opt.Shared == "" {
		return nil
	}
	most := topk.List[line.Common]{Size: mostKeys, Compare: func(a, b line.Common) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), bytes.Compare(a.Key, b.Key))
	}}
	err := lineio.Each(r.e, []string{r.opt.Shared}, func(text []byte) error {
		var one line.Common
		if err := one.Parse(text); err != nil || !most.Takes(one) {
			return err
		}
		had := slices.IndexFunc(most.All, func(other line.Common) bool { return bytes.Equal(other.Example, one.Example) })
		if had >= 0 && most.Compare(most.All[had], one) <= 0 {
			return nil
		} else if had >= 0 {
			most.All = slices.Delete(most.All, had, had+1)
		}
		one.Key, one.Example = bytes.Clone(one.Key), bytes.Clone(one.Example)
		most.Add(one)
		return nil
	})
	for _, k := range most.All {
		r.page.Keys = append(r.page.Keys, report.Key{Key: string(k.Key), Records: k.Records, Example: &r.wantText(k.Example).Text})
	}
	return err
}

// readMeasured reads the curve from the output of doppel measure. Each row has a range of
// similarity, the number of pairs, the share of pairs found, and the expected share.
func (r *session) readMeasured() error {
	if r.opt.Measured == "" {
		return nil
	}
	err := lineio.Each(r.e, []string{r.opt.Measured}, func(text []byte) error {
		if band, ok := parseBand(text); ok {
			r.page.Curve = append(r.page.Curve, band)
		}
		return nil
	})
	if err == nil && len(r.page.Curve) == 0 {
		return fmt.Errorf("%s: not a curve written by doppel measure", r.opt.Measured)
	}
	return err
}

// parseBand parses a row of the curve; ok is false for lines that are not rows.
func parseBand(text []byte) (b report.Band, ok bool) {
	columns := bytes.Split(text, []byte{'\t'})
	if len(columns) != 4 {
		return b, false
	}
	pairs, err := strconv.ParseInt(string(columns[1]), 10, 64)
	if err != nil || pairs < 0 {
		return b, false
	}
	low, high, _ := bytes.Cut(columns[0], []byte{'-'})
	into := []*float64{&b.Low, &b.High, &b.Found, &b.Promised}
	for i, v := range [][]byte{low, high, columns[2], columns[3]} {
		if string(v) == "-" && i >= 2 && pairs == 0 {
			continue
		}
		if *into[i], err = strconv.ParseFloat(string(v), 64); err != nil || !(0 <= *into[i] && *into[i] <= 1) {
			return b, false
		}
	}
	b.Pairs = pairs
	// Round up, because the shares were rounded down.
	interval := fingerprint.Wilson(int(math.Ceil(b.Found*float64(pairs)-1e-9)), int(pairs), fingerprint.Confidence95)
	b.Least, b.Most = interval.Low, interval.High
	return b, b.Low < b.High
}
