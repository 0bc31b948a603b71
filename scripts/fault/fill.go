//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
)

// What fills the memory of the eaters.

func nothing(*room) []byte { return nil }

// lines writes n lines.
func lines(n int, write func(b *bytes.Buffer, i int)) []byte {
	var b bytes.Buffer
	for i := range n {
		write(&b, i)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func manyNumbers(*room) []byte {
	return lines(4_000_000, func(b *bytes.Buffer, i int) { fmt.Fprint(b, i) })
}

// manyPairs are scored pairs of which each id has a few.
func manyPairs(r *room) []byte {
	return lines(1_000_000, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, "%d\t%d\t0.9", i, i+1+r.rand.IntN(3)) })
}

func manyKeys(*room) []byte {
	return lines(2_000_000, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, "%016x\t%d", i/2, i) })
}

func manySimhashes(r *room) []byte {
	return lines(500_000, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, "%d\tsimhash/c2/city/64/none\t%016x", i, r.rand.Uint64()) })
}

// signed returns sketches of texts that are far from one another.
func signed(r *room) []byte {
	r.breaks(r.write("i/texts", manyTexts(r)))
	return []byte(r.do("recsign", "i/texts").stdout)
}

// alike returns sketches of texts that differ in a word, as pages that deny access do.
func alike(r *room) []byte {
	page := sentence(r.rand, 60)
	texts := lines(150_000, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, `{"text":"%s %d"}`, page, i) })
	r.breaks(r.write("i/texts", texts))
	return []byte(r.do("recsign", "i/texts").stdout)
}

// allPairs are pairs of many.jsonl.
func allPairs(r *room) []byte {
	return lines(300_000, func(b *bytes.Buffer, i int) {
		a := r.rand.IntN(manyRecords - 1)
		fmt.Fprintf(b, "%d\t%d", a, a+1+r.rand.IntN(manyRecords-a-1))
	})
}

func manyTexts(r *room) []byte {
	return lines(60_000, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, `{"text":"%s"}`, sentence(r.rand, 60)) })
}

// scoredTexts are texts, with pairs of them in i/pairs.
func scoredTexts(r *room) []byte {
	r.breaks(r.write("i/pairs", lines(60_000, func(b *bytes.Buffer, i int) { fmt.Fprintf(b, "%d\t%d\t0.%d", i/2, i/2+1+i%2, 8+r.rand.IntN(2)) })))
	return manyTexts(r)
}

// decidedTexts are those, with decisions in i/decisions.
func decidedTexts(r *room) []byte {
	data := scoredTexts(r)
	r.breaks(r.write("i/decisions", []byte(r.do("dupgroup", "--cut", "0.9", "i/pairs").stdout)))
	return data
}

// auditedTexts are those, with no decisions in i/none, and scores in i/scores.
func auditedTexts(r *room) []byte {
	data := scoredTexts(r)
	r.breaks(errors.Join(r.write("i/x", data), r.write("i/none", nil)))
	r.breaks(r.write("i/scores", []byte(r.do("jaccard", "--records", "i/x", "i/pairs").stdout)))
	return data
}

// manyPassages are texts of which each has a passage of one before it.
func manyPassages(r *room) []byte {
	passages := make([]string, 1000)
	for i := range passages {
		passages[i] = sentence(r.rand, 60)
	}
	return lines(20_000, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `{"text":"%s %s %s"}`, sentence(r.rand, 40), passages[i%len(passages)], sentence(r.rand, 40))
	})
}
