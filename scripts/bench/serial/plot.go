package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A curve holds a row of the table: the forecast and the measured seconds by number of cores. A
// measured value is 0 if it is unknown.
type curve struct {
	name               string
	forecast, measured []float64
}

// readTable reads the table that serial prints, in Markdown.
func readTable(r io.Reader) (cores []float64, curves []curve, err error) {
	const begin = 5 // index of the first column of seconds
	for lines := bufio.NewScanner(r); lines.Scan(); {
		f := strings.Split(strings.Trim(lines.Text(), "| "), "|")
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		if len(f) < begin || strings.HasPrefix(f[0], "-") {
			continue
		}
		c := curve{name: f[0]}
		for _, cell := range f[begin-1:] {
			value, rest, _ := strings.Cut(cell, " (")
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, nil, fmt.Errorf("invalid cell %q: want a number", cell)
			}
			measured, _ := strconv.ParseFloat(strings.TrimSuffix(rest, ")"), 64)
			c.forecast, c.measured = append(c.forecast, seconds), append(c.measured, measured)
		}
		if cores == nil {
			cores = c.forecast
		} else if len(c.forecast) != len(cores) {
			return nil, nil, fmt.Errorf("%s: %d columns of seconds, but the head has %d", c.name, len(c.forecast), len(cores))
		} else {
			curves = append(curves, c)
		}
	}
	if len(curves) == 0 {
		return nil, nil, fmt.Errorf("the table has no rows")
	}
	return cores, curves, nil
}

// The area of the plot, in pixels. Both axes are logarithmic.
const (
	left, right = 60.0, 500.0
	top, bottom = 30.0, 400.0
)

// colours of the curves, in turn.
var colours = strings.Fields("#1f6f8b #c1440e #4c8c2b #7a4fa3 #b8860b #2b2b8c #a3316f #5c5c5c #0f8f7a #d1603d #8c2b2b #3f7fbf #6b8e23")

// writePlot draws the forecast seconds as lines, and the measured ones as dots.
func writePlot(w io.Writer, cores []float64, curves []curve) error {
	least, most := math.Inf(1), 0.0
	for _, c := range curves {
		for i, s := range c.forecast {
			least, most = min(least, s), max(most, s, c.measured[i])
		}
	}
	first, last := math.Log2(cores[0]), math.Log2(slices.Max(cores))
	low, high := math.Floor(math.Log2(max(least, 1e-3))), math.Ceil(math.Log2(most))
	x := func(n float64) float64 { return left + (right-left)*(math.Log2(n)-first)/(last-first) }
	y := func(s float64) float64 { return bottom - (bottom-top)*(math.Log2(s)-low)/(high-low) }
	out := bufio.NewWriter(w)
	text := func(x, y float64, anchor, format string, args ...any) {
		fmt.Fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 450\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"680\" height=\"450\" fill=\"white\"/>\n")
	text((left+right)/2, 440, "middle", "cores")
	text(10, 18, "start", "seconds for each gigabyte")
	fmt.Fprintf(out, "<path d=\"M%g %gV%gH%g\" fill=\"none\" stroke=\"black\"/>\n", left, top, bottom, right)
	for _, n := range cores {
		text(x(n), bottom+18, "middle", "%g", n)
	}
	for e := low; e <= high; e++ {
		text(left-6, y(math.Exp2(e))+4, "end", "%.3g", math.Exp2(e))
	}
	end := len(cores) - 1
	slices.SortStableFunc(curves, func(a, b curve) int { return int(math.Copysign(1, b.forecast[end]-a.forecast[end])) })
	label := top - 15
	for i, c := range curves {
		fmt.Fprintf(out, "<g stroke=\"%s\" fill=\"none\">", colours[i%len(colours)])
		path := "M"
		for i, n := range cores {
			path += fmt.Sprintf(" %.1f %.1f", x(n), y(c.forecast[i]))
			if c.measured[i] > 0 {
				fmt.Fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", x(n), y(c.measured[i]))
			}
		}
		fmt.Fprintf(out, "<path d=\"%s\" stroke-width=\"2\"/></g>\n", path)
		label = max(label+15, y(c.forecast[end])+4)
		fmt.Fprintf(out, "<g fill=\"%s\">", colours[i%len(colours)])
		text(right+10, label, "start", "%s", c.name)
		fmt.Fprintln(out, "</g>")
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}
