package main

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"strings"
)

// commitMessages returns the messages of the commits of a repository, without
// those of merges, each text once.
func commitMessages(repository string) ([]string, error) {
	text, err := exec.Command("git", "-C", repository, "log", "--no-merges", "-z", "--format=%B", "-n", "60000").Output()
	if err != nil {
		return nil, err
	}
	var messages []string
	seen := map[string]bool{}
	for message := range bytes.SplitSeq(text, []byte{0}) {
		if m := string(message); !seen[m] {
			seen[m] = true
			messages = append(messages, m)
		}
	}
	return messages, nil
}

// A sample is some messages and what has become of each.
type sample struct {
	originals []string
	changed   [][]string // by change, then by message
}

// newSample draws n messages of low to high-1 words.
func newSample(messages []string, low, high, n int, seed uint64) *sample {
	rnd := rand.New(rand.NewPCG(seed, uint64(low)))
	s := &sample{}
	for _, i := range rnd.Perm(len(messages)) {
		if words := len(strings.Fields(messages[i])); words >= low && words < high && len(s.originals) < n {
			s.originals = append(s.originals, messages[i])
		}
	}
	for _, change := range changes {
		var changed []string
		for _, m := range s.originals {
			other := strings.Fields(messages[rnd.IntN(len(messages))])
			changed = append(changed, change(rnd, m, append(other, "footer")))
		}
		s.changed = append(s.changed, changed)
	}
	return s
}

// A change makes another message of one, with the words of a third.
type change func(rnd *rand.Rand, message string, words []string) string

var changes = []change{
	func(rnd *rand.Rand, m string, words []string) string {
		return replace(m, rnd.IntN(len(strings.Fields(m))), 0, words[rnd.IntN(len(words))])
	},
	func(rnd *rand.Rand, m string, words []string) string {
		return replace(m, rnd.IntN(len(strings.Fields(m))), 1, words[rnd.IntN(len(words))])
	},
	func(_ *rand.Rand, m string, words []string) string { return m + "\n-- \n" + footer(words, 5) },
	func(_ *rand.Rand, m string, words []string) string { return m + "\n-- \n" + footer(words, 20) },
	func(_ *rand.Rand, m string, _ []string) string { return fold(m, 60) },
}

// replace puts word in the place of the n words after the first at words of m,
// and leaves the space between the others as it is.
func replace(m string, at, n int, word string) string {
	start := wordStart(m, at)
	end := wordStart(m, at+n)
	return m[:start] + word + " " + m[end:]
}

// wordStart returns where the word number n of m begins, or the length of m.
func wordStart(m string, n int) int {
	inWord := false
	for i, r := range m {
		space := strings.ContainsRune(" \t\n\r\v\f", r)
		if !space && !inWord {
			if n == 0 {
				return i
			}
			n--
		}
		inWord = !space
	}
	return len(m)
}

// footer returns n words, from the first of words on and round again.
func footer(words []string, n int) string {
	var line []string
	for i := range n {
		line = append(line, words[i%len(words)])
	}
	return strings.Join(line, " ")
}

// fold sets the words of m in lines of at most width bytes.
func fold(m string, width int) string {
	var out strings.Builder
	column := 0
	for word := range strings.FieldsSeq(m) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			out.WriteByte('\n')
			column = 0
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}

// related reports whether the words of a and b have a Jaccard similarity of at
// least 0.3.
func related(a, b string) bool {
	words := map[string]int{}
	for word := range strings.FieldsSeq(a) {
		words[word] |= 1
	}
	for word := range strings.FieldsSeq(b) {
		words[word] |= 2
	}
	both := 0
	for _, where := range words {
		both += where / 3
	}
	return float64(both) >= 0.3*float64(len(words))
}
