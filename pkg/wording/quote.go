package wording

import "strings"

// plain are the characters that a shell leaves alone in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%"

// Quote returns the word as a POSIX shell must see it.
func Quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Command returns the text of a shell that runs a command. Its name is taken as it is, so that
// it may have a subcommand.
func Command(name string, args ...string) string {
	var text strings.Builder
	text.WriteString(name)
	for _, arg := range args {
		text.WriteString(" " + Quote(arg))
	}
	return text.String()
}
