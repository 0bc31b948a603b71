//go:build linux

package main

import (
	"fmt"
	"strings"
)

// startTable begins a table of columns, with their names between bars.
func startTable(b *strings.Builder, columns string) {
	heads := strings.Split(columns, "|")
	b.WriteString(".Bl -column")
	for i, h := range heads {
		fmt.Fprintf(b, " %q", strings.Repeat("m", max(len(h), 6)+max(0, 14-14*i)))
	}
	b.WriteString(" -compact\n")
	rowOf(b, heads...)
}

// rowOf writes a row of a table.
func rowOf(b *strings.Builder, cells ...string) {
	var texts []string
	for _, c := range cells {
		texts = append(texts, roff(c))
	}
	fmt.Fprintf(b, ".It %s\n", strings.Join(texts, " Ta "))
}

// roff returns text that mdoc takes for what it is.
func roff(s string) string {
	s = strings.NewReplacer("\\", "\\e", "\n", " ", "\t", " ", "`", "\\(ga", "'", "\\(aq", "\"", "\\(dq", "~", "\\(ti", "^", "\\(ha").Replace(printable(s))
	words := strings.Fields(s)
	for i, w := range words {
		if mdocWord(w) {
			words[i] = "\\&" + w
		}
	}
	return strings.Join(words, " ")
}

// mdocWord tells whether mdoc would take a word for a macro or for punctuation that
// it moves.
func mdocWord(w string) bool {
	return len(w) <= 3 || strings.ContainsAny(w[:1], ".(")
}
