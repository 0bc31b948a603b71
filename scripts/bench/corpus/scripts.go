package main

import (
	"fmt"
	"strings"
)

// A script respells words, so that texts of other scripts are as long in words, as
// much alike and as widely spread as the English ones, and only their bytes and
// classes of characters are of that script. No two words are spelt alike but rare
// ones in han, where each is one character and no space is between them.
type script struct {
	letters []string // for a to z; nil: as it is
	han     bool
}

// scripts are those that a record can be in.
var scripts = map[string]script{
	"latin":      {},
	"accented":   alphabet("abcdefghiçèlmnopàrstuéwëôü"),
	"cyrillic":   alphabet("абцдефгхийклмнопярстувшыьз"),
	"greek":      alphabet("αβψδεφγηιξκλμνοπώρστθωςχυζ"),
	"arabic":     alphabet("ابتثجحخدذرزسشصضطظعغفقكلمنه"),
	"hebrew":     alphabet("אבגדהוזחטיכלמנסעפצקרשתךםןף"),
	"devanagari": alphabet("कखगघचछजझटठडढणतथदधनपफबभमयरल"),
	"hangul":     alphabet("가나다라마바사아자차카타파하거너더러머버서어저처커터"),
	"han":        {han: true},
}

func alphabet(letters string) script { return script{letters: strings.Split(letters, "")} }

// scriptsOf returns the scripts of the names, each the one of every record whose number
// leaves its place when divided by how many there are.
func scriptsOf(names []string) (of []script, err error) {
	for _, name := range names {
		s, ok := scripts[name]
		if !ok {
			return nil, fmt.Errorf("--scripts: no script %q", name)
		}
		of = append(of, s)
	}
	return of, nil
}

// The characters of han, as many as Unicode had first.
const firstHan, countHan = 0x4e00, 20902

// append appends a word and the space behind it.
func (s script) append(dst []byte, n wordNum, w *word) []byte {
	switch text := w.bytes[:w.size]; {
	case s.han:
		return append(dst, string(rune(firstHan+n%countHan))...)
	case s.letters == nil:
		return append(append(dst, text...), ' ')
	default:
		for _, c := range text {
			if 'a' <= c && c <= 'z' {
				dst = append(dst, s.letters[c-'a']...)
			} else {
				dst = append(dst, c)
			}
		}
		return append(dst, ' ')
	}
}

// appendText is texts.appendText in a script, which has no capitals.
func (s script) appendText(dst []byte, t *texts, tokens []token) []byte {
	for _, tok := range tokens {
		n := wordNum(tok & wordMask)
		dst = s.append(dst, n, &t.words[n])
		if tok&sentenceEnd != 0 {
			dst = append(dst, ". "...)
		}
		if tok&paragraphEnd != 0 {
			dst = append(dst, `\n\n`...)
		}
	}
	return dst
}
