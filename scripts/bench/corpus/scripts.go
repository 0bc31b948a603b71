package main

import (
	"fmt"
	"strings"
)

// A script respells words. Respelled texts have the same numbers of words, the same word
// frequencies and the same similarities as the original texts; only their bytes and character
// classes differ.
// Different words stay different, except some rare words in the script "han", where each word
// is one character and no spaces separate words.
type script struct {
	letters []string // replacements of the letters a to z; if nil, letters do not change
	han     bool
}

// scripts lists the scripts by the names that --scripts accepts.
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

// scriptsOf returns the scripts with these names. Record n is written in the script at
// index n modulo the number of scripts.
func scriptsOf(names []string) (of []script, err error) {
	for _, name := range names {
		s, ok := scripts[name]
		if !ok {
			return nil, fmt.Errorf("--scripts: unknown script %q", name)
		}
		of = append(of, s)
	}
	return of, nil
}

// The range of Han characters that replace words: those in the first version of Unicode.
const firstHan, countHan = 0x4e00, 20902

// append appends a word to dst, followed by a space unless the script is "han".
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

// appendText is like texts.appendText, but in this script and without capitals.
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
