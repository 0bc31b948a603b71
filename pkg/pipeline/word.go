package pipeline

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"doppel/pkg/chain"
)

// A scratch is a file without a name that stages hand on: a shell has it as
// "$t", a run as an open descriptor.
type scratch struct {
	of    string // what messages call it: the input that it is a copy of, or ""
	given string // a descriptor of ours that is handed on under another number, or ""
	name  string // of the shell's variable

	file *os.File // open while it runs
	fd   int      // in every stage
}

// path is the name by which a stage opens the file while it runs.
func (s *scratch) path() string { return fmt.Sprintf("/dev/fd/%d", s.fd) }

// A word is a part of a command. It has one form for the shell and one for a run.
type word struct {
	text    string
	scratch *scratch // stands behind the text
	output  string   // stands behind the text: a file that is put in its place at the end
	reads   bool     // the output is read, when a stage before has written it
	main    bool     // the output may replace an input of the same name
	decoded *scratch // of data: where the first stage keeps what it decodes
	called  string   // stands behind the scratch file: what messages call it
	silent  bool     // a matter of the run: a shell does not see it

	late func() string // what stands behind the text is known when the stage starts
}

// into makes a word of a flag that names an output; none if no name is given.
func into(flag, name string) []word {
	if name == "" {
		return nil
	}
	return []word{{text: "--" + flag + "=", output: name, main: flag == "output"}}
}

// from makes a word of a flag that names a scratch file.
func from(flag string, s *scratch) []word { return []word{{text: "--" + flag + "=", scratch: s}} }

// laterReader makes words that tell a stage about its data: what messages call the copies
// among them, and where a stage before has kept what is decoded of them.
func laterReader(data []word) []word { return append(copyNames(data), decodedFile("decoded", data)...) }

// firstReader makes the words of the stage that reads the data first.
func firstReader(data []word) []word {
	return append(copyNames(data), decodedFile("decode-to", data)...)
}

// decodedFile makes the word that tells a stage where what is decoded is kept.
func decodedFile(flag string, data []word) []word {
	if len(data) == 0 || data[0].decoded == nil {
		return nil
	}
	return []word{{text: "--" + flag + "=", scratch: data[0].decoded, silent: true}}
}

// copyNames makes words that tell a stage what messages call the copies among its data.
func copyNames(data []word) (words []word) {
	for _, w := range data {
		if w.scratch != nil && w.scratch.of != "" {
			words = append(words, word{text: "--call=", scratch: w.scratch, called: "=" + w.scratch.of, silent: true})
		}
	}
	return words
}

// said makes words plain to a shell that are else a matter of the run.
func said(words []word) []word {
	all := slices.Clone(words)
	for i := range all {
		all[i].silent = false
	}
	return all
}

// operands makes words of what is read once. A descriptor is handed on, since the
// stages have others of that number.
func operands(names []string) (words []word) {
	for _, name := range names {
		w := word{text: name}
		if strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/") {
			w = word{scratch: &scratch{given: name, of: name}}
		}
		words = append(words, w)
	}
	return words
}

// plain makes words of strings.
func plain(args ...string) []word {
	words := make([]word, len(args))
	for i, a := range args {
		words[i] = word{text: a}
	}
	return words
}

// flagged puts a flag in front of each of some words.
func flagged(flag string, words []word) []word {
	with := make([]word, len(words))
	for i, w := range words {
		w.text = "--" + flag + "=" + w.text
		with[i] = w
	}
	return with
}

// shell returns the word as a shell must see it.
func (w word) shell() string {
	switch {
	case w.scratch == nil:
		return chain.Quote(w.text + w.output)
	case w.scratch.given != "":
		return chain.Quote(w.text + w.scratch.given)
	}
	text := w.text + `"$` + w.scratch.name + `"`
	if w.called != "" {
		text += chain.Quote(w.called)
	}
	return text
}

// A Stage is a program and what it is told.
type Stage struct {
	program string
	words   []word
}

// stage returns a stage with all these words.
func stage(program string, words ...[]word) Stage {
	s := Stage{program: program}
	for _, some := range words {
		s.words = append(s.words, some...)
	}
	return s
}

// with returns the stage with more words.
func (s Stage) with(words ...[]word) Stage {
	return stage(s.program, append([][]word{s.words}, words...)...)
}

// on returns the stage with operands behind its options. One that looks like an
// option stands behind "--".
func (s Stage) on(operands []word) Stage {
	if slices.ContainsFunc(operands, func(w word) bool { return len(w.text) > 1 && w.text[0] == '-' }) {
		operands = append(plain("--"), operands...)
	}
	return stage(s.program, s.words, operands)
}

// shell returns the command as shell text.
func (s Stage) shell() string {
	text := ""
	for _, word := range shellProgram(s.program) {
		text += chain.Quote(word) + " "
	}
	for _, w := range s.words {
		if !w.silent {
			text += w.shell() + " "
		}
	}
	return text[:len(text)-1]
}
