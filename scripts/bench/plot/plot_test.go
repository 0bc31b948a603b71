package main

import (
	"strings"
	"testing"
)

// The axes end at x = 100 and, where the straight line of b ends, at y = 50.
const points = "a\t50\t5\na\t100\t20\nb\t50\t25\nb\t100\t40\n"

func TestDraw(t *testing.T) {
	all, err := read(strings.NewReader(points))
	if err != nil {
		t.Fatal(err)
	}
	svg := draw(all, "a < b", "seconds")
	for what, want := range map[string]string{
		"first point of a":     `cx="300.0" cy="327.0"`,
		"last point of a":      `cx="540.0" cy="228.0"`,
		"first point of b":     `cx="300.0" cy="195.0"`,
		"last point of b":      `cx="540.0" cy="96.0"`,
		"curve of b":           `d="M 300.0 195.0 540.0 96.0"`,
		"straight line of a":   `d="M60 360L540.0 294.0"`,
		"straight line of b":   `d="M60 360L540.0 30.0"`,
		"escaped label":        `>a &lt; b<`,
		"last mark of x":       `<text x="540.0" y="378.0" text-anchor="middle">100</text>`,
		"second mark of y":     `<text x="54.0" y="298.0" text-anchor="end">10</text>`,
		"name at the end of a": `<text x="550.0" y="232.0" text-anchor="start">a</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s, %s, in\n%s", what, want, svg)
		}
	}
}

func TestStep(t *testing.T) {
	for _, c := range []struct{ most, want float64 }{{10, 2}, {1e7, 2e6}, {3, 1}, {0.07, 0.02}, {6, 2}, {49, 10}, {15, 5}} {
		if got := step(c.most); got < c.want*0.999 || got > c.want*1.001 {
			t.Errorf("marks of 0 to %v: every %v, want %v", c.most, got, c.want)
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, text := range []string{"", "a\t1\n", "a\tx\t1\n", "a\t0\t1\n", "a\t1\t-1\n"} {
		if all, err := read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read as %v", text, all)
		}
	}
}
