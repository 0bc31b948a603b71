package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

	"doppel/pkg/msg"
)

var functions = template.FuncMap{
	"style":  func() template.CSS { return template.CSS(style) },
	"number": Number,
	"things": countOf,
	"count":  func(n int) string { return Number(int64(n)) },
	"share":  percentOf,
	"bytes":  byteCount,
	"rows":   func(c Comparison) []row { return rows(c.A.Text, c.B.Text) },
	"excerpt": func(t *Text) row { // returns the beginning of a text that is shown alone
		shown, size := fit(t.Text, mostExample, visibleBoth)
		return row{Both: shown, More: int(t.Bytes) - size}
	},
	"visible": msg.Visible,
	"name":    clipName,
	"scores":  scoreChart,
	"seconds": seconds,
	"bar":     barWidth,
	"decimal": func(v float64) string { return fmt.Sprintf("%.4f", v) },
	"short":   func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) },
	"two":     func(v float64) string { return fmt.Sprintf("%.2f", v) },
}

// Number formats a number with commas as thousands separators.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// seconds formats a time with two significant digits, or in whole seconds if it is at least 10 s.
// More digits would say nothing, because times vary between runs.
func seconds(s float64) string {
	if s >= 9.95 {
		return strconv.FormatFloat(s, 'f', 0, 64) + " seconds"
	}
	return strconv.FormatFloat(s, 'g', 2, 64) + " seconds"
}

// countOf formats a count with its noun, such as "1 record" or "2 records".
func countOf(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}

// percentOf formats the quotient of two numbers as a percentage. A value that is not exactly 0 % or
// 100 % but would be rounded to it becomes "<0.1 %" or ">99.9 %".
func percentOf(part, of int64) string {
	if of == 0 {
		return "–"
	}
	s := fmt.Sprintf("%.1f", 100*float64(part)/float64(of))
	switch {
	case s == "0.0" && part > 0:
		return "<0.1 %"
	case s == "100.0" && part < of:
		return ">99.9 %"
	}
	return s + " %"
}

func byteCount(n int64) string {
	v, unit := float64(n), 0
	for v >= 999.5 && unit < 4 {
		v /= 1000
		unit++
	}
	if unit == 0 {
		return Number(n) + " B"
	}
	decimals := 0
	if v < 9.95 {
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + " " + []string{"B", "kB", "MB", "GB", "TB"}[unit]
}

// clipName returns an id or a label in visible form, truncated to mostName bytes.
func clipName(text string) string {
	shown, size := fit(text, mostName, msg.Visible)
	if size < len(text) {
		shown += "…"
	}
	return shown
}

// barWidth returns part/of in percent, which is the width of a bar in a table.
func barWidth(part, of int64) string {
	return strconv.FormatFloat(math.Round(1000*float64(part)/float64(max(of, 1)))/10, 'f', -1, 64)
}
