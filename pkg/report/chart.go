package report

import (
	"fmt"
	"math"
)

// A chart is a diagram of 720 by 216 units. It shows either columns, or points and a curve.
type chart struct {
	Columns []column
	Points  []point
	Promise string // points of the predicted curve, as in the points attribute of an SVG polyline
	Cut     *mark
	X, Y    []mark // the marks on the axes
}

// A column is a bar of a chart, with its tooltip.
type column struct {
	X, Y, Width, Height float64
	Tip                 string
	Below               bool // whether the column is below the threshold
}

// A point is a measured value with its confidence interval.
type point struct {
	X, Y, Low, High float64
	Tip             string
}

// A mark is a labelled position on an axis.
type mark struct {
	At    float64
	Label string
}

// Edges of the area between the axes, in the units of the chart.
const (
	left, right = 56.0, 712.0
	top, bottom = 18.0, 190.0
)

// round rounds to one decimal, so that pages are short and the same on all machines.
func round(v float64) float64 { return math.Round(10*v) / 10 }

// scoreChart returns the histogram of scores, with a mark at the threshold. A column is at most an
// eighth of the width, so fewer than eight columns do not fill the chart.
func scoreChart(s *Scores, t Totals) *chart {
	most, n := int64(1), len(s.Counts)
	for _, pairs := range s.Counts {
		most = max(most, pairs)
	}
	c := &chart{Y: []mark{{bottom, "0"}, {top, Number(most)}}}
	width := (right - left) / float64(max(n, 8))
	gap := min(2, width/5)
	for i, pairs := range s.Counts {
		low, at := s.Low+s.Width*float64(i), left+width*float64(i)
		height := round(float64(pairs) / float64(most) * (bottom - top))
		if pairs > 0 {
			height = max(height, 1)
		}
		c.Columns = append(c.Columns, column{
			X: round(at + gap/2), Y: round(bottom - height), Width: round(width - gap), Height: height,
			Tip: fmt.Sprintf("%.2f: %s", low, Number(pairs)), Below: t.HasThreshold && low+s.Width <= t.Threshold+1e-9,
		})
		if i%((n+10)/11) == 0 {
			c.X = append(c.X, mark{round(left + width*(float64(i)+.5)), fmt.Sprintf("%.2f", low)})
		}
	}
	if t.HasThreshold && t.Threshold >= s.Low-1e-9 {
		c.Cut = &mark{round(min(right, left+width*(t.Threshold-s.Low)/s.Width)), fmt.Sprintf("threshold %v", t.Threshold)}
	}
	return c
}

// curveChart returns a chart of the predicted curve, as a line, and the measured values, as points.
// If no predictions are given, the curve connects the predictions for the bands.
func curveChart(promise []Chance, bands []Band, t Totals) *chart {
	from, to := 0., 1.
	if len(bands) > 0 {
		from, to = bands[0].Low, bands[len(bands)-1].High
	}
	x := func(v float64) float64 { return round(left + (v-from)/(to-from)*(right-left)) }
	y := func(v float64) float64 { return round(bottom - v*(bottom-top)) }
	c, middles := &chart{Y: []mark{{bottom, "0"}, {y(.5), "0.5"}, {top, "1"}}}, []Chance(nil)
	for _, b := range bands {
		if b.Pairs > 0 {
			middle := (b.Low + b.High) / 2
			middles = append(middles, Chance{middle, b.Promised})
			tip := fmt.Sprintf("%.2f–%.2f: %.4f of %s", b.Low, b.High, b.Found, Number(b.Pairs))
			c.Points = append(c.Points, point{x(middle), y(b.Found), y(b.Least), y(b.Most), tip})
		}
	}
	if len(promise) == 0 {
		promise = middles
	}
	for _, p := range promise {
		if from <= p.Similarity && p.Similarity <= to {
			c.Promise += fmt.Sprintf("%v,%v ", x(p.Similarity), y(p.Share))
		}
	}
	step := 10 // 100 times the distance between two marks on the x axis
	if to-from < .55 {
		step = 5
	}
	for n := 0; n <= 100; n += step {
		if v := float64(n) / 100; v >= from-1e-9 && v <= to+1e-9 {
			// The label is centred at the mark, and must not be cut off at the right edge.
			c.X = append(c.X, mark{min(x(v), right-6), fmt.Sprintf("%.2f", v)})
		}
	}
	if t.HasThreshold && from <= t.Threshold && t.Threshold <= to {
		c.Cut = &mark{x(t.Threshold), fmt.Sprintf("threshold %v", t.Threshold)}
	}
	return c
}
