package pipeline

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"doppel/pkg/chain"
)

// A Scratch is a file without a name that stages hand on: a shell has it as
// "$t", a run as an open descriptor.
type Scratch struct {
	of    string // what messages call it: the input that it is a copy of, or ""
	given string // a descriptor of ours that is handed on under another number, or ""
	name  string // of the shell's variable

	file *os.File // open while it runs
	fd   int      // in every stage
}

// path is the name by which a stage opens the file while it runs.
func (s *Scratch) path() string { return fmt.Sprintf("/dev/fd/%d", s.fd) }

// A Word is a part of a command. It has one form for the shell and one for a run.
type Word struct {
	text    string
	scratch *Scratch // stands behind the text
	output  string   // stands behind the text: a file that is put in its place at the end
	reads   bool     // the output is read, when a stage before has written it
	main    bool     // the output may replace an input of the same name
	decoded *Scratch // of data: where the first stage keeps what it decodes
	called  string   // stands behind the scratch file: what messages call it
	silent  bool     // a matter of the run: a shell does not see it
}

// into makes a word of a flag that names an output; none if no name is given.
func into(flag, name string) []Word {
	if name == "" {
		return nil
	}
	return []Word{{text: "--" + flag + "=", output: name, main: flag == "output"}}
}

// from makes a word of a flag that names a scratch file.
func from(flag string, s *Scratch) []Word { return []Word{{text: "--" + flag + "=", scratch: s}} }

// calls makes words that tell a stage about its data: what messages call the copies
// among them, and where a stage before has kept what is decoded of them.
func calls(data []Word) []Word { return append(names(data), decodes("decoded", data)...) }

// signs makes the words of the stage that reads the data first.
func signs(data []Word) []Word { return append(names(data), decodes("decode-to", data)...) }

// decodes makes the word that tells a stage where what is decoded is kept.
func decodes(flag string, data []Word) []Word {
	if len(data) == 0 || data[0].decoded == nil {
		return nil
	}
	return []Word{{text: "--" + flag + "=", scratch: data[0].decoded, silent: true}}
}

// names makes words that tell a stage what messages call the copies among its data.
func names(data []Word) (words []Word) {
	for _, w := range data {
		if w.scratch != nil && w.scratch.of != "" {
			words = append(words, Word{text: "--call=", scratch: w.scratch, called: "=" + w.scratch.of, silent: true})
		}
	}
	return words
}

// said makes words plain to a shell that are else a matter of the run.
func said(words []Word) []Word {
	all := slices.Clone(words)
	for i := range all {
		all[i].silent = false
	}
	return all
}

// operands makes words of what is read once. A descriptor is handed on, since the
// stages have others of that number.
func operands(names []string) (words []Word) {
	for _, name := range names {
		w := Word{text: name}
		if strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/") {
			w = Word{scratch: &Scratch{given: name, of: name}}
		}
		words = append(words, w)
	}
	return words
}

// plain makes words of strings.
func plain(args ...string) []Word {
	words := make([]Word, len(args))
	for i, a := range args {
		words[i] = Word{text: a}
	}
	return words
}

// flagged puts a flag in front of each of some words.
func flagged(flag string, words []Word) []Word {
	with := make([]Word, len(words))
	for i, w := range words {
		w.text = "--" + flag + "=" + w.text
		with[i] = w
	}
	return with
}

// shell returns the word as a shell must see it.
func (w Word) shell() string {
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
	words   []Word
}

// stage returns a stage with all these words.
func stage(program string, words ...[]Word) Stage {
	s := Stage{program: program}
	for _, some := range words {
		s.words = append(s.words, some...)
	}
	return s
}

// with returns the stage with more words.
func (s Stage) with(words ...[]Word) Stage {
	return stage(s.program, append([][]Word{s.words}, words...)...)
}

// on returns the stage with operands behind its options. One that looks like an
// option stands behind "--".
func (s Stage) on(operands []Word) Stage {
	for _, w := range operands {
		if len(w.text) > 1 && w.text[0] == '-' {
			operands = append(plain("--"), operands...)
			break
		}
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
