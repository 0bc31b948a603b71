package report

import (
	"fmt"
	"math"
	"slices"
)

// A chart is a picture of columns, or of points with a curve. Its measures are those
// of its coordinates, of which it has 720 by 220.
type chart struct {
	Columns []column
	Points  []point
	Promise string // the points of a line
	Cut     *mark
	X, Y    []mark // on the axes
}

// A column is one of a chart, with what a pointer on it tells.
type column struct {
	X, Y, Width, Height float64
	Tip                 string
	Below               bool // the cut
}

// A point is what was measured, with an interval.
type point struct {
	X, Y, Low, High float64
	Tip             string
}

// A mark is a place on an axis.
type mark struct {
	At    float64
	Label string
}

// The frame of a chart.
const (
	left, right = 56.0, 712.0
	top, bottom = 18.0, 190.0
)

// columns makes a chart of counts.
func columns(counts []int64, tip func(i int) string) *chart {
	most := int64(1)
	for _, n := range counts {
		most = max(most, n)
	}
	c := &chart{Y: []mark{{bottom, "0"}, {top, Number(most)}}}
	width := slot(len(counts))
	for i, n := range counts {
		height := round(float64(n) / float64(most) * (bottom - top))
		if n > 0 {
			height = max(height, 1)
		}
		gap := min(2, width/5)
		c.Columns = append(c.Columns, column{X: round(left + width*float64(i) + gap/2), Y: round(bottom - height), Width: round(width - gap), Height: height, Tip: tip(i)})
	}
	return c
}

// name writes below every so many columns what they are.
func (c *chart) name(step int, label func(i int) string) {
	each := slot(len(c.Columns))
	for i := 0; i < len(c.Columns); i += step {
		c.X = append(c.X, mark{round(left + each*(float64(i)+.5)), label(i)})
	}
}

// slot is the width of each of n columns: few are not as wide as they could be.
func slot(n int) float64 { return (right - left) / float64(max(n, 8)) }

// scoreChart is the histogram of scores, with the cut.
func scoreChart(s *Scores, t Totals) *chart {
	low := func(i int) float64 { return s.Low + s.Width*float64(i) }
	c := columns(s.Counts, func(i int) string { return fmt.Sprintf("%.2f: %s", low(i), Number(s.Counts[i])) })
	c.name((len(s.Counts)+10)/11, func(i int) string { return fmt.Sprintf("%.2f", low(i)) })
	for i := range c.Columns {
		c.Columns[i].Below = t.HasThreshold && low(i)+s.Width <= t.Threshold+1e-9
	}
	if t.HasThreshold && t.Threshold >= s.Low-1e-9 {
		c.Cut = &mark{round(min(right, left+slot(len(s.Counts))*(t.Threshold-s.Low)/s.Width)), fmt.Sprintf("cut %v", t.Threshold)}
	}
	return c
}

// sizeChart is how many groups there are of each size.
func sizeChart(sizes []Size) *chart {
	counts := make([]int64, len(sizes))
	for i, s := range sizes {
		counts[i] = s.Groups
	}
	c := columns(counts, func(i int) string { return sizes[i].Label + " records: " + Number(counts[i]) })
	c.name(1, func(i int) string { return sizes[i].Label })
	return c
}

// weightChart is what the copies of files of each size take.
func weightChart(weights []Weight) *chart {
	counts := make([]int64, len(weights))
	for i, w := range weights {
		counts[i] = w.Freed
	}
	c := columns(counts, func(i int) string { return weights[i].Label + ": " + byteCount(counts[i]) })
	c.Y[1].Label = byteCount(max(1, slices.Max(counts)))
	c.name(1, func(i int) string { return weights[i].Label })
	return c
}

// round keeps a page short, and the same on all machines.
func round(v float64) float64 { return math.Round(10*v) / 10 }
