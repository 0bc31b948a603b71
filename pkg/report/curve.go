package report

import "fmt"

// curveChart is what was promised, as a line, and what was measured, as points.
func curveChart(promise []Chance, bands []Band, t Totals) *chart {
	s := scale{0, 1}
	if len(bands) > 0 {
		s = scale{bands[0].Low, bands[len(bands)-1].High}
	}
	c := &chart{Y: []mark{{bottom, "0"}, {s.y(.5), "0.5"}, {top, "1"}}}
	if len(promise) == 0 {
		promise = middles(bands)
	}
	for _, p := range promise {
		if s.from <= p.Similarity && p.Similarity <= s.to {
			c.Promise += fmt.Sprintf("%v,%v ", s.x(p.Similarity), s.y(p.Share))
		}
	}
	s.points(c, bands)
	s.mark(c, t)
	return c
}

// points adds what was measured.
func (s scale) points(c *chart, bands []Band) {
	for _, b := range bands {
		if b.Pairs > 0 {
			tip := fmt.Sprintf("%.2f–%.2f: %.4f of %s", b.Low, b.High, b.Found, Number(b.Pairs))
			c.Points = append(c.Points, point{s.x((b.Low + b.High) / 2), s.y(b.Found), s.y(b.Least), s.y(b.Most), tip})
		}
	}
}

// middles are what was promised of the pairs of each band.
func middles(bands []Band) (all []Chance) {
	for _, b := range bands {
		if b.Pairs > 0 {
			all = append(all, Chance{(b.Low + b.High) / 2, b.Promised})
		}
	}
	return all
}

// A scale is where similarities and shares lie in a chart.
type scale struct{ from, to float64 }

func (s scale) x(v float64) float64 { return round(left + (v-s.from)/(s.to-s.from)*(right-left)) }

func (s scale) y(v float64) float64 { return round(bottom - v*(bottom-top)) }

// mark marks tenths of similarity, or twentieths of a short axis, and the cut.
func (s scale) mark(c *chart, t Totals) {
	step := 10
	if s.to-s.from < .55 {
		step = 5
	}
	for n := 0; n <= 100; n += step {
		if v := float64(n) / 100; v >= s.from-1e-9 && v <= s.to+1e-9 {
			c.X = append(c.X, mark{min(s.x(v), right-6), fmt.Sprintf("%.2f", v)}) // what is centred there is seen whole
		}
	}
	if t.HasThreshold && s.from <= t.Threshold && t.Threshold <= s.to {
		c.Cut = &mark{s.x(t.Threshold), fmt.Sprintf("cut %v", t.Threshold)}
	}
}
