// Plot draws lines of "series TAB x TAB y" on standard input as an SVG file on
// standard output: a curve for each series, and dashed the straight line from 0
// through its first point, above which growth is more than linear.
//
//	plot XLABEL YLABEL < points > plot.svg
package main

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"math"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: plot XLABEL YLABEL < points > plot.svg")
	}
	all, err := read(os.Stdin)
	if err == nil {
		_, err = os.Stdout.WriteString(draw(all, os.Args[1], os.Args[2]))
	}
	if err != nil {
		log.Fatal("plot: ", err)
	}
}

type series struct {
	name string
	x, y []float64
}

// read returns the series, whose lines stand together.
func read(r io.Reader) (all []series, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var x, y float64
		name, rest, _ := strings.Cut(lines.Text(), "\t")
		if _, err := fmt.Sscanf(rest, "%g\t%g", &x, &y); err != nil || x <= 0 || y <= 0 {
			return nil, fmt.Errorf("%q: want a name and two numbers above 0", lines.Text())
		}
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, series{name: name})
		}
		s := &all[len(all)-1]
		s.x, s.y = append(s.x, x), append(s.y, y)
	}
	if len(all) == 0 && lines.Err() == nil {
		return nil, errors.New("no points")
	}
	return all, lines.Err()
}

// A canvas is an SVG file and the ends of its axes.
type canvas struct {
	strings.Builder
	x, y float64
}

const left, right, top, bottom = 60, 540, 30, 360 // of the axes, in pixels

func (c *canvas) place(x, y float64) (float64, float64) {
	return left + (right-left)*x/c.x, bottom - (bottom-top)*y/c.y
}

func (c *canvas) text(x, y float64, anchor, text string) {
	fmt.Fprintf(c, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(text))
}

func draw(all []series, xLabel, yLabel string) string {
	var c canvas
	for _, s := range all {
		for i, x := range s.x {
			c.x, c.y = max(c.x, x), max(c.y, s.y[i], x*s.y[0]/s.x[0])
		}
	}
	c.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 410" font-family="sans-serif" font-size="13">` + "\n")
	c.WriteString(`<rect width="680" height="410" fill="white"/>` + "\n")
	c.text((left+right)/2, bottom+40, "middle", xLabel)
	c.text(left, top-12, "middle", yLabel)
	c.axes()
	for i, s := range all {
		c.series(s, []string{"#1f6f8b", "#c1440e", "#5a7d2a", "#6b4c9a"}[i%4])
	}
	c.WriteString("</svg>\n")
	return c.String()
}

func (c *canvas) axes() {
	fmt.Fprintf(c, `<path d="M%d %dV%dH%d" fill="none" stroke="black"/>`+"\n", left, top, bottom, right)
	for n := 0.0; n*step(c.x) <= c.x; n++ {
		x, y := c.place(n*step(c.x), 0)
		c.text(x, y+18, "middle", fmt.Sprintf("%.4g", n*step(c.x)))
	}
	for n := 0.0; n*step(c.y) <= c.y; n++ {
		x, y := c.place(0, n*step(c.y))
		c.text(x-6, y+4, "end", fmt.Sprintf("%.4g", n*step(c.y)))
	}
}

// step returns a distance of marks, 1, 2 or 5 times a power of 10, of which
// three to seven reach most.
func step(most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(most/3)))
	return power * [...]float64{1, 1, 2, 2, 2, 5, 5, 5, 5, 5, 5}[int(most/3/power)]
}

func (c *canvas) series(s series, color string) {
	x, y := c.place(c.x, c.x*s.y[0]/s.x[0])
	fmt.Fprintf(c, `<g stroke="%s" fill="none"><path d="M%d %dL%.1f %.1f" stroke-dasharray="5 4"/>`+"\n", color, left, bottom, x, y)
	curve := "M"
	for i := range s.x {
		x, y = c.place(s.x[i], s.y[i])
		fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="3"/>`+"\n", x, y)
		curve += fmt.Sprintf(" %.1f %.1f", x, y)
	}
	fmt.Fprintf(c, `<path d="%s" stroke-width="2"/></g>`+"\n", curve)
	c.text(x+10, y+4, "start", s.name)
}
