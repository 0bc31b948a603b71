// Package chain runs a chain of filters as processes with pipes between them,
// and quotes words for a shell that is to do the same.
package chain

import (
	"strings"
)

// A Stage is a command: the name that messages have for it, and what is run.
type Stage struct {
	Name string
	Argv []string // the program first
}

// A Chain is stages, each reading what the one before it writes.
type Chain []Stage

// String returns the chain as it is run.
func (c Chain) String() string {
	var all []string
	for _, s := range c {
		words := []string{s.Name}
		for _, w := range s.Argv[1:] {
			words = append(words, Quote(w))
		}
		all = append(all, strings.Join(words, " "))
	}
	return strings.Join(all, " | ")
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
