package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A writer makes letters from the sentences of the repository's documents.
type writer struct {
	*rand.Rand
	sentences []string
	number    int // number of the next letter
}

var (
	roff     = regexp.MustCompile(`\\[a-zA-Z&]|[\\"]`)
	sentence = regexp.MustCompile(`[A-Z][a-zA-Z ,;'-]{30,200}\.`)
)

// newWriter reads the documents of a repository: its pages and lists of changes and results.
func newWriter(root string, seed uint64) (*writer, error) {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
	names, _ := filepath.Glob(filepath.Join(root, "man", "*.[157]"))
	for _, name := range append(names, filepath.Join(root, "README.md"), filepath.Join(root, "scripts/release/CHANGELOG.md"), filepath.Join(root, "scripts/bench/RESULTS.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var page strings.Builder
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, ".") {
				page.WriteString(strings.TrimSpace(roff.ReplaceAllString(line, "")) + " ")
			}
		}
		w.sentences = append(w.sentences, sentence.FindAllString(page.String(), -1)...)
	}
	if len(w.sentences) < 1000 {
		return nil, fmt.Errorf("%s: only %d sentences in the documents", root, len(w.sentences))
	}
	return w, nil
}

// words returns a text of n words. A few have letters that differ between charsets.
func (w *writer) words(n int) string {
	var all []string
	for len(all) < n {
		all = append(all, strings.Fields(pick(w, w.sentences))...)
	}
	all = all[:n]
	for i, word := range all {
		if w.IntN(40) == 0 {
			all[i] = pick(w, []string{"Brücke", "café", "Señor", "naïve", "Größe"})
		} else if i == n-1 {
			all[i] = strings.TrimRight(word, ",;.") + "."
		}
	}
	return strings.Join(all, " ")
}

func pick[T any](w *writer, list []T) T { return list[w.IntN(len(list))] }

// paragraphs returns a text of n words in paragraphs, wrapped at a width.
func (w *writer) paragraphs(n, width int) string {
	var all []string
	for n > 0 {
		size := min(n, 30+w.IntN(50))
		if n-size < 10 {
			size = n
		}
		all = append(all, wrap(w.words(size), width))
		n -= size
	}
	return strings.Join(all, "\n\n") + "\n"
}

// wrap breaks the lines of each paragraph at a width.
func wrap(text string, width int) string {
	var out strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			out.WriteString("\n\n")
		}
		at := 0
		for j, word := range strings.Fields(paragraph) {
			switch {
			case j == 0:
			case at+1+len(word) > width:
				out.WriteByte('\n')
				at = 0
			default:
				out.WriteByte(' ')
				at++
			}
			out.WriteString(word)
			at += len(word)
		}
	}
	return out.String()
}

var people = []string{"Alice Archer", "Bob Baker", "Carol Carter", "Dan Dyer", "Erin Eliot", "Frank Fisher", "Grace Gardner", "Henry Hunter"}

func addressOf(name string) string {
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	return first + "@example.org"
}

// other returns a person who is not the given one.
func (w *writer) other(name string) string {
	for {
		if p := pick(w, people); p != name {
			return p
		}
	}
}
