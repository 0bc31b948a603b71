// Package chain runs a chain of filters as processes with pipes between them,
// and prints it as the shell text that does the same.
package chain

import (
	"strings"
)

// A Stage is a command with its arguments.
type Stage []string

// A Chain is stages, each reading what the one before it writes.
type Chain []Stage

// String returns the chain as shell text.
func (c Chain) String() string {
	stages := make([]string, len(c))
	for i, s := range c {
		stages[i] = s.String()
	}
	return strings.Join(stages, " | ")
}

// String returns the command as shell text.
func (s Stage) String() string {
	words := make([]string, len(s))
	for i, w := range s {
		words[i] = Quote(w)
	}
	return strings.Join(words, " ")
}

// plain are the characters that a shell leaves alone in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%"

// Quote returns the word as a POSIX shell must see it.
func Quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
