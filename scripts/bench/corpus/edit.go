package main

import (
	"slices"

	"doppel/pkg/jaccard"
)

// An edit changes a text so that its similarity to the original is about j. In the formulas of
// the methods below, n is the number of shingles of the text, s the number of words of a
// shingle, and m the number of edited words.
type edit struct {
	name  string
	apply func(e *editor, tokens []token, j float64) []token
}

var edits = []edit{
	{"substitute", (*editor).substitute},
	{"insert", (*editor).insert},
	{"remove", (*editor).remove},
	{"cut", (*editor).cut},
	{"extend", (*editor).extend},
}

// The range of the similarities at which edits aim.
const lowest, highest = 0.5, 0.99

type editor struct {
	random
	texts   *texts
	shingle int
	sets    [2][]uint64
	tmp     []uint64
}

// edit returns an edited copy of the tokens, the name of the edit, and the similarity of the
// copy to the original. The similarity is below 1 and at least the constant lowest: if it is
// outside this range, as may happen with a short text, edit tries again.
func (e *editor) edit(tokens []token) ([]token, string, float64) {
	for {
		ed := edits[e.below(len(edits))]
		target := lowest + (highest-lowest)*e.float()
		edited := ed.apply(e, slices.Clone(tokens), target)
		if j := e.jaccard(tokens, edited); lowest <= j && j < 1 {
			return edited, ed.name, j
		}
	}
}

// substitute replaces m random words. Each replacement removes s shingles and adds s others, so
// j = (n-sm)/(n+sm).
func (e *editor) substitute(tokens []token, j float64) []token {
	for range e.times(tokens, (1-j)/(float64(e.shingle)*(1+j))) {
		i := e.below(len(tokens))
		tokens[i] = tokens[i]&^wordMask | token(e.texts.draw(&e.random))
	}
	return tokens
}

// insert inserts m words at random places. Each insertion removes s-1 shingles and adds s others,
// so j = (n-(s-1)m)/(n+sm).
func (e *editor) insert(tokens []token, j float64) []token {
	s := float64(e.shingle)
	for range e.times(tokens, (1-j)/(s-1+s*j)) {
		tokens = slices.Insert(tokens, e.below(len(tokens)+1), token(e.texts.draw(&e.random)))
	}
	return tokens
}

// remove deletes m random words. Each deletion removes s shingles and adds s-1 others, so
// j = (n-sm)/(n+(s-1)m).
func (e *editor) remove(tokens []token, j float64) []token {
	s := float64(e.shingle)
	for range e.times(tokens, (1-j)/(s+(s-1)*j)) {
		i := e.below(len(tokens))
		tokens = slices.Delete(tokens, i, i+1)
	}
	return tokens
}

// cut removes a passage of m words, so j = (n-m)/n.
func (e *editor) cut(tokens []token, j float64) []token {
	m := e.times(tokens, 1-j)
	i := e.below(len(tokens) - m + 1)
	return slices.Delete(tokens, i, i+m)
}

// extend adds a passage of m words before or after the text, so j = n/(n+m).
func (e *editor) extend(tokens []token, j float64) []token {
	passage := make([]token, e.times(tokens, 1/j-1))
	for i := range passage {
		passage[i] = token(e.texts.draw(&e.random))
	}
	if e.below(2) == 0 {
		return append(passage, tokens...)
	}
	return append(tokens, passage...)
}

// times returns the number of words that make up the given share of the tokens, but at least 1.
func (e *editor) times(tokens []token, share float64) int {
	return max(1, int(share*float64(len(tokens))+0.5))
}

// jaccard returns the Jaccard similarity of the sets of shingles of two texts.
func (e *editor) jaccard(a, b []token) float64 {
	x, y := e.set(0, a), e.set(1, b)
	return jaccard.Similarity(len(x), len(y), jaccard.Shared(x, y, 0))
}

// set returns the sorted set of the shingles of a text. A shingle is represented by a hash of
// its word numbers. Collisions do not matter: in about one of 10^12 texts, two of the few
// thousand shingles collide.
func (e *editor) set(which int, tokens []token) []uint64 {
	set := e.sets[which][:0]
	for i := 0; i+e.shingle <= len(tokens); i++ {
		var h uint64
		for _, tok := range tokens[i : i+e.shingle] {
			r := random(h + uint64(tok&wordMask))
			h = r.next()
		}
		set = append(set, h)
	}
	e.sets[which], e.tmp = jaccard.Set(set, e.tmp)
	return e.sets[which]
}
