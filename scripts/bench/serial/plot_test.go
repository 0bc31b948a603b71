package main

import (
	"reflect"
	"strings"
	"testing"
)

const table = `| run | processor | serial | the longest of each step | 1 | 2 | 16 |
|---|--:|--:|---|--:|--:|--:|
| fuzzy, zstd | 8.00 | 1.00 | emit 1.00 | 8.00 (7.50) | 4.00 | 1.00 |
`

func TestPlot(t *testing.T) {
	cores, curves, err := readTable(strings.NewReader(table))
	want := []curve{{"fuzzy, zstd", []float64{8, 4, 1}, []float64{7.5, 0, 0}}}
	if err != nil || !reflect.DeepEqual(cores, []float64{1, 2, 16}) || !reflect.DeepEqual(curves, want) {
		t.Errorf("%v, %v, %v", cores, curves, err)
	}
	var b strings.Builder
	if err := writePlot(&b, cores, curves); err != nil || !strings.Contains(b.String(), `d="M 60.0 30.0 170.0 153.3 500.0 400.0"`) || strings.Count(b.String(), "<circle") != 1 {
		t.Errorf("%v\n%s", err, b.String())
	}
	for _, bad := range []string{"", strings.Replace(table, "4.00", "four", 1), strings.Replace(table, " 4.00 |", "", 1)} {
		if _, _, err := readTable(strings.NewReader(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}
