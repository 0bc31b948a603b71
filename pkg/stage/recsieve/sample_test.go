package recsieve_test

import (
	"os"
	"strings"
	"testing"

	"doppel/pkg/record"
	"doppel/pkg/stage/recsieve"
	"doppel/pkg/stage/stagetest"
	"doppel/pkg/tool"
)

// SampleDrops returns the share of dropped records at the beginning of the input, without counting
// bad records, and writes nothing.
func TestSampleDrops(t *testing.T) {
	const one, other = `{"text":"one two three four"}` + "\n", `{"text":"five six seven eight"}` + "\n"
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		text  string
		bytes int64
		want  float64
	}{
		{"", 1, 0},
		{one + other, 1 << 20, 0},
		{one + one + "{\n" + other + one, 1 << 20, 0.5},
		{strings.Repeat(one+other, 10), 0, 0},
		{strings.Repeat(other, 50_000) + strings.Repeat(one, 50_000), 1 << 18, 1},
	} {
		if err := os.WriteFile("data", []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, status := stagetest.RunProbe(func(e *tool.Env) error {
			o := recsieve.Default()
			e.Records, e.Mem = record.Options{Fields: []string{"text"}}, o.Mem
			got, err := o.SampleDrops(e, []string{"data"}, c.bytes)
			if got < c.want-.001 || got > c.want+.001 {
				t.Errorf("%.40q: %v, want %v", c.text, got, c.want)
			}
			return err
		}, "", "-j2")
		if out != "" || errs != "" || status != 0 {
			t.Errorf("%.40q: %q, %q, %d", c.text, out, errs, status)
		}
	}
	_, errs, status := stagetest.RunProbe(func(e *tool.Env) error {
		_, err := new(recsieve.Default()).SampleDrops(e, []string{"none"}, 1)
		return err
	}, "")
	if status != 2 || !strings.Contains(errs, "none: no such file") {
		t.Errorf("%d: %s", status, errs)
	}
}
