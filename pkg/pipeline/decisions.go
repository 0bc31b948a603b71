package pipeline

import (
	"io"

	"doppel/pkg/tool"
)

// WriteDecisions runs the stages that decide over files, and writes their decisions,
// by ordinals, for those who want to look at them before anything is applied. What
// can be read only once is refused.
func (f *Fuzzy) WriteDecisions(e *tool.Env, names []string, w io.Writer) error {
	for _, name := range names {
		if once(name) {
			return tool.UsageError("%s can be read only once", name)
		}
	}
	return newRun(e, false).plan(Plan{{stages: f.decide(plain(names...))}}, w)
}
