package jaccgroup

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/tool"
)

// writeTemplates writes a file of records and a sorted file of most pairs of these records. Each
// record is a copy of one of a few templates, with some of its words changed. The parameter change
// is the approximate share of changed words, in percent.
func writeTemplates(t *testing.T, r *rand.Rand, records, templates, change int) {
	var data, pairs strings.Builder
	for i := range records {
		fmt.Fprintf(&data, `{"text":"`)
		for word := range 60 {
			template := i % templates
			if word > 40 && r.IntN(3) > 0 {
				template = 0 // use a word of the first template, so that all templates have words in common
			}
			if r.IntN(100) < change {
				template = 1000 + r.IntN(5)
			}
			fmt.Fprintf(&data, "w%dx%d ", template, word)
		}
		data.WriteString("\"}\n")
		for j := i + 1; j < records; j++ {
			if r.IntN(8) > 0 {
				fmt.Fprintf(&pairs, "%d\t%d\n", i, j)
			}
		}
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"data": data.String(), "pairs": pairs.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// runTool runs a tool and returns its output.
func runTool(t *testing.T, c *tool.Command, input string, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	s := tool.Std{Program: c.Name, Args: args, Stdin: strings.NewReader(input), Stdout: &out, Stderr: io.Writer(&errs)}
	if status := tool.Run(c, s); status != 0 {
		t.Fatalf("%s %q: status %d, %s", c.Name, args, status, errs.String())
	}
	return out.String()
}

// FuzzDense checks that jaccgroup makes the same decisions as jaccard followed by dupgroup if most
// records are paired with each other. It runs jaccgroup with memory for all, some or none of the
// pairs and codes.
func FuzzDense(f *testing.F) {
	f.Add(uint64(1), uint8(40), uint8(1), uint8(5), uint8(80), false)
	f.Add(uint64(2), uint8(60), uint8(3), uint8(2), uint8(80), true)
	f.Add(uint64(3), uint8(100), uint8(20), uint8(1), uint8(50), false)
	f.Add(uint64(4), uint8(90), uint8(2), uint8(0), uint8(90), true)
	f.Add(uint64(5), uint8(30), uint8(5), uint8(10), uint8(0), false)
	f.Fuzz(func(t *testing.T, seed uint64, records, templates, change, threshold uint8, contained bool) {
		defer func(least int64) { minWorkBytes = least }(minWorkBytes)
		r := rand.New(rand.NewPCG(seed, 1))
		writeTemplates(t, r, int(records%120), int(max(1, templates)), int(change%20))
		args := []string{fmt.Sprintf("-t%v", float64(threshold%100)/100), "--records=data", "pairs"}
		if contained {
			args = append(args, "--containment")
		}
		want := runTool(t, dupgroup.Command(), runTool(t, jaccard.Command(), "", args...), "--cut="+args[0][2:])
		for _, least := range []int64{minWorkBytes, 1 << 16, 1 << 12} {
			minWorkBytes = least
			for _, more := range []string{"-j1", "-j3", "--mem=1"} {
				if got := runTool(t, Command(), "", append(args, more)...); got != want {
					t.Fatalf("%v %s, %d bytes for work:\n%s\nwant\n%s", args, more, least, got, want)
				}
			}
		}
	})
}
