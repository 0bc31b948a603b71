package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// TestSourceTree runs the commands for sampled fingerprints on source files of the Go standard
// library. It checks that the reported matches are real and that a copied passage is found.
func TestSourceTree(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	src, dir := filepath.Join(strings.TrimSpace(string(goroot)), "src"), t.TempDir()
	shell := func(script string) string {
		t.Helper()
		c := stagetest.Shell(t, t.Name(), script)
		c.Dir, c.Env = dir, append(os.Environ(), toolPath(), "SRC="+src)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		return string(out)
	}
	shell("find $SRC/go $SRC/crypto $SRC/encoding -type f -name '*.go' > names; recsign --files -m sample < names > src.sample")
	shell("lshpairs src.sample | jaccard --sigs src.sample --containment -t 0.25 > scored")
	exact := shell("jaccard --records names --files --shingle c50 --normalize none --containment scored")
	checkIntervals(t, shell("cat scored"), exact)

	// new.txt consists of lines that occur in no other file, followed by a part of parser.go.
	shell("{ seq -f 'line %.0f of what is nowhere else' 50; sed -n 100,160p $SRC/go/parser/parser.go; } > new.txt")
	found := shell("recsign --files -m sample new.txt | lshpairs --against src.sample")
	if !strings.Contains(found, "/go/parser/parser.go\tnew.txt\t") {
		t.Errorf("the file that was copied from is not among\n%s", found)
	}
	shell("lshkeys src.sample | LC_ALL=C sort > src.keys")
	if got := shell("recsign --files -m sample new.txt | lshpairs --against src.keys | sort"); got != shell("recsign --files -m sample new.txt | lshpairs --against src.sample | sort") {
		t.Errorf("keys and signatures find different pairs:\n%s%s", found, got)
	}
}

// checkIntervals checks that at least 85 % of the estimates have a confidence interval that
// contains the exact score. Both arguments must list the same pairs in the same order.
func checkIntervals(t *testing.T, estimates, exact string) {
	t.Helper()
	lines, truths := strings.Split(strings.TrimSpace(estimates), "\n"), strings.Split(strings.TrimSpace(exact), "\n")
	if len(lines) != len(truths) || len(lines) < 20 {
		t.Fatalf("%d estimates, %d exact scores", len(lines), len(truths))
	}
	in := 0
	for i, line := range lines {
		e, x := strings.Split(line, "\t"), strings.Split(truths[i], "\t")
		low, high, truth := number(t, e[8]), number(t, e[9]), number(t, x[2])
		if fmt.Sprint(e[:2]) != fmt.Sprint(x[:2]) {
			t.Fatalf("estimate of %v, score of %v", e[:2], x[:2])
		}
		if truth == 0 {
			t.Errorf("%s: nothing is shared", line)
		}
		if low <= truth && truth <= high {
			in++
		}
	}
	// The required share is lower than the confidence level, because selecting pairs by their
	// estimates favours overestimated ones.
	if share := float64(in) / float64(len(lines)); share < 0.85 {
		t.Errorf("%d of %d intervals hold the exact score", in, len(lines))
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
