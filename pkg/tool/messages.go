package tool

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"doppel/pkg/msg"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/tool/flags"
)

// lockStderr locks the error stream, which all stages share, and returns the unlock
// function.
func (e *Env) lockStderr() func() {
	e = e.root()
	e.mu.Lock()
	return e.mu.Unlock
}

// Warn reports an error that does not end the run but sets its exit status to 2.
func (e *Env) Warn(err error) {
	e.troubles.Add(1)
	e.printError(err)
}

// Trouble sets the exit status of the run to 2. It is for errors that have already been reported.
func (e *Env) Trouble() { e.troubles.Add(1) }

// Note prints a message on standard error and leaves the exit status unchanged.
func (e *Env) Note(format string, args ...any) {
	defer e.lockStderr()()
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.root().Name, msg.Printable(fmt.Sprintf(format, args...)))
}

// NoteOnce is like Note, but prints equal messages of all stages of a run only once.
func (e *Env) NoteOnce(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	unlock := e.lockStderr()
	noted := e.root().noted
	if noted == nil {
		noted = map[string]bool{}
		e.root().noted = noted
	}
	before := noted[text]
	noted[text] = true
	unlock()
	if !before {
		e.Note("%s", text)
	}
}

// Skip handles an error in one record. With -k, it reports the error and returns nil. Without -k,
// it returns the error, which ends the run.
func (e *Env) Skip(err error) error {
	var fatal interface{ EndsRun() }
	if err == nil || !e.KeepGoing || errors.As(err, &fatal) {
		return err
	}
	e.Warn(err)
	return nil
}

// printError prints an error and, on a second line, a hint if there is one.
func (e *Env) printError(err error) {
	defer e.lockStderr()()
	var of *stageError
	if empty, ok := errors.AsType[nullError](err); ok {
		err = empty
	} else if errors.As(err, &of) {
		err = of.Err
	}
	e = e.root() // users know the command that they typed, not its stages
	text := msg.Printable(messageOf(err))
	if r := []rune(text); len(r) > maxMessage {
		text = string(r[:maxMessage-messageEnd]) + " … " + string(r[len(r)-messageEnd:])
	}
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Name, text)
	var hint interface{ Hint() string }
	var usage flags.Usage
	var file *os.PathError
	var null *fieldpath.NullError
	switch {
	case errors.As(err, &null) && !e.KeepGoing && e.given != nil && e.given.Lookup("missing") != nil:
		fmt.Fprintf(e.Stderr, "%s: hint: --missing keep keeps such records, --missing drop drops them\n", e.Name)
	case errors.As(err, &hint):
		fmt.Fprintf(e.Stderr, "%s: hint: %s\n", e.Name, msg.Printable(hint.Hint()))
	case errors.As(err, &file) && errors.Is(file, os.ErrNotExist) && strings.Contains(file.Path, "://"):
		fmt.Fprintf(e.Stderr, "%s: hint: addresses are not opened; pipe the data to the operand -, as in: curl -sL ADDRESS | %s -\n", e.Name, e.typed())
	case errors.As(err, &file) && errors.Is(file, os.ErrNotExist) && looksNumeric(file.Path) && e.given != nil && e.given.Lookup("threshold") != nil:
		fmt.Fprintf(e.Stderr, "%s: hint: %s was read as a file name; write a number after its option, as in --threshold 0.6\n", e.Name, file.Path)
	case errors.As(err, &usage):
		fmt.Fprintf(e.Stderr, "%s: hint: try '%s --help'\n", e.Name, e.typed())
	}
}

// looksNumeric reports whether an operand looks like a fraction or a percentage, such as 0.8 or
// 80%, rather than a file name.
func looksNumeric(word string) bool {
	digits, percent := strings.CutSuffix(word, "%")
	_, err := strconv.ParseFloat(digits, 64)
	return err == nil && (percent || strings.Contains(digits, "."))
}

// typed returns the command as the user typed it: a tool may have been run by doppel, or by a link
// with another name.
func (e *Env) typed() string { return cmp.Or(e.Program, e.Name) }
