package pipeline

import (
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/chain"
)

// chainOf returns the text of stages that were made without data.
func chainOf(stages ...Stage) string {
	all := make([]string, len(stages))
	for i, s := range stages {
		all[i] = s.program
		for _, w := range s.words {
			if !w.silent && w.scratch == nil && w.output == "" && !aside(w.text) {
				all[i] += " " + chain.Quote(local(w.text))
			}
		}
	}
	return strings.Join(all, " | ")
}

// aside reports whether an argument changes how something runs and not what comes of
// it: a report is the same page each time.
func aside(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{"--jobs", "--mem", "--progress", "--no-progress"}, name)
}

// local returns an argument without the directories of a file that it names, if those
// are of this machine.
func local(arg string) string {
	for _, flag := range []string{"--key=", "--config=", "--scores="} {
		if name, ok := strings.CutPrefix(arg, flag); ok && filepath.IsAbs(name) {
			return flag + filepath.Base(name)
		}
	}
	return arg
}

// commandLine returns the command that does it again, as a shell has it. Of absolute
// paths it has the last parts, and of what can be read only once nothing. What was bad
// is told by the page.
func commandLine(name string, args []string, data []word) string {
	words := []string{name}
	for _, a := range args {
		if a != "--keep-going" && !aside(a) {
			words = append(words, chain.Quote(local(a)))
		}
	}
	for _, w := range data {
		if w.scratch != nil {
			continue
		}
		file := w.text
		if filepath.IsAbs(file) {
			file = filepath.Base(file)
		}
		words = append(words, chain.Quote(file))
	}
	return strings.Join(words, " ")
}
