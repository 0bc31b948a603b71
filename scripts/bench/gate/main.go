// Gate compares counts of work with committed figures and fails where one has
// risen by more than a twentieth. It counts what a loaded machine does not
// change: lines between the stages of the fuzzy chain, bytes of compressed forms and
// those allocated signing, and, where valgrind is installed, instructions. Wall time is no part
// of it. It is run at the top of the repository:
//
//	go run ./scripts/bench/gate            # compare with scripts/bench/gate.tsv
//	go run ./scripts/bench/gate -update    # write it
//
// Instructions depend on the Go release a little; the figures say which.
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

// A count is a figure: so much of something.
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

// tolerance is the rise that passes.
const tolerance = 0.05

var errRose = errors.New("work has risen; if it must, run it with -update and say why in the commit")

// compare prints every count beside the committed one.
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
			verdict = "less: -update would hold it"
		}
		fmt.Fprintf(out, "%-36s%14.0f%14.0f  %s\n", c.name, c.value, was, verdict)
	}
	return err
}
