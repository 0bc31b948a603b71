package report

import (
	"fmt"
	"math"
)

// A chart is a histogram of 720 by 216 units.
type chart struct {
	Columns []column
	Cut     *mark
	X, Y    []mark // the marks on the axes
}

// A column is a bar of a chart, with its tooltip.
type column struct {
	X, Y, Width, Height float64
	Tip                 string
	Below               bool // whether the column is below the threshold
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
func scoreChart(s *Scores) *chart {
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
			Tip: fmt.Sprintf("%.2f: %s", low, Number(pairs)), Below: low+s.Width <= s.Threshold+1e-9,
		})
		if i%((n+10)/11) == 0 {
			c.X = append(c.X, mark{round(left + width*(float64(i)+.5)), fmt.Sprintf("%.2f", low)})
		}
	}
	if s.Threshold > 0 && s.Threshold >= s.Low-1e-9 {
		c.Cut = &mark{round(min(right, left+width*(s.Threshold-s.Low)/s.Width)), fmt.Sprintf("threshold %v", s.Threshold)}
	}
	return c
}
