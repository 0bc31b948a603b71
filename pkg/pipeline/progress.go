package pipeline

import (
	"bufio"
	"fmt"
	"os"
	"slices"

	"doppel/pkg/chain"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// watch has the stages tell how far they are, if the user watches: one line is shown
// for the whole chain, and not one a stage. The pipe by which they tell is the first
// of the files that they see.
func (r *run) watch(e *tool.Env) {
	if !e.Watching() {
		return
	}
	from, to, err := os.Pipe()
	if err != nil {
		return // nothing is shown, and nothing is lost
	}
	r.files = append(r.files, to)
	r.tells = 2 + len(r.files)
	go func() {
		reports := bufio.NewScanner(from)
		for reports.Scan() {
			if e.Progress.Told(reports.Text()) != nil {
				return
			}
		}
	}()
}

// tellAll has those stages of a chain that are tools tell how far they are, or be silent
// where the user wants that.
func (r *run) tellAll(c chain.Chain) {
	how := fmt.Sprintf("--tell=%d", r.tells)
	if r.tells == 0 {
		how = "--no-progress"
	}
	for i, s := range c {
		if (r.tells > 0 || r.e.Watch.Never) && toolbox.Find(s.Name) != nil {
			c[i].Argv = slices.Insert(s.Argv, len(program(s.Name)), how)
		}
	}
}
