// Gate compares counts of work with committed figures and fails if a count has risen by more
// than 5 %. It counts only work that does not depend on the load of the machine: lines between
// the stages of the fuzzy chain, bytes of compressed files, bytes allocated while signing, and,
// if valgrind is installed, instructions. It does not measure wall time. Run it from the top of
// the repository:
//
//	go run ./scripts/bench/gate            # compare with scripts/bench/gate.tsv
//	go run ./scripts/bench/gate -update    # write scripts/bench/gate.tsv
//
// Instruction counts depend slightly on the Go release, which gate.tsv names.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
)

const figures = "scripts/bench/gate.tsv"

func main() {
	update := flag.Bool("update", false, "write the figures instead of comparing")
	flag.Parse()
	if err := run(*update); err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

// A count is a named amount of work.
type count struct {
	name  string
	value float64
}

func run(update bool) error {
	counts, err := measure()
	if err != nil {
		return err
	}
	if update {
		text := fmt.Sprintf("# by %s; see scripts/bench/gate\n", runtime.Version())
		for _, c := range counts {
			text += fmt.Sprintf("%s\t%.0f\n", c.name, c.value)
		}
		return os.WriteFile(figures, []byte(text), 0o666)
	}
	text, err := os.ReadFile(figures)
	if err != nil {
		return err
	}
	old := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue
		}
		if old[name], err = strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("%s: %w", figures, err)
		}
	}
	return compare(os.Stdout, counts, old)
}

// tolerance is the largest accepted relative increase of a count.
const tolerance = 0.05

var errRose = errors.New("work has risen; if that is intended, run with -update and give the reason in the commit")

// compare prints every count next to the committed count. It returns an error if a count has
// risen too much or if no count with its name is committed.
func compare(out io.Writer, counts []count, old map[string]float64) (err error) {
	for _, c := range counts {
		was, known := old[c.name]
		verdict := "ok"
		switch {
		case !known:
			verdict, err = "not in "+figures, errRose
		case c.value > was*(1+tolerance):
			verdict, err = "MORE", errRose
		case c.value < was*(1-tolerance):
			verdict = "less: -update would record it"
		}
		fmt.Fprintf(out, "%-36s%14.0f%14.0f  %s\n", c.name, c.value, was, verdict)
	}
	return err
}
