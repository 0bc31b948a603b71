//go:build !purego

package text

import "golang.org/x/sys/cpu"

// fast reports whether the processor can run the assembly.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// foldASCII folds the n bytes at src to dst, in blocks of 64 bytes. It stops after the last
// complete block, or before the first byte that is not ASCII. The parameter at is the position of
// dst in the folded text. foldASCII returns the number of bytes folded, the number of edges
// written, and whether the last byte is in a word (1 or 0). It may overwrite up to seven elements
// of edges after the last edge.
//
//go:noescape
func foldASCII(dst *byte, edges *int32, src *byte, n int, at int32, inWord uint64) (done, edged int, last uint64)

// foldBlocks folds the ASCII bytes at the start of the text, in blocks of 64 bytes, and returns the
// number of bytes folded. It leaves out an incomplete block at the end of the text.
func (f *folder) foldBlocks(text []byte) int {
	if !fast || len(text) < blockBytes {
		return f.plainFoldBlocks(text)
	}
	at, begin := len(f.dst), len(f.edges)
	dst, edges := f.dst[at:cap(f.dst)], f.edges[begin:cap(f.edges)]
	n := min(len(text), len(dst), len(edges)-blockBytes)
	done, edged, last := foldASCII(&dst[0], &edges[0], &text[0], n, int32(at), f.inWord)
	f.dst, f.edges, f.inWord = f.dst[:at+done], f.edges[:begin+edged], last
	return done
}

// scanBlock is plainScan in assembly.
//
//go:noescape
func scanBlock(out, in *[blockBytes]byte, k *kinds)

func scan(out, in *[blockBytes]byte, k *kinds) {
	if fast {
		scanBlock(out, in, k)
	} else {
		plainScan(out, in, k)
	}
}

// hashWordsOf is hashAll for n words, in assembly. It may read up to sixteen bytes from the start
// of a word, even if the word is shorter.
//
//go:noescape
func hashWordsOf(folded *byte, edges *int32, words *uint64, n int)

// hashTiny is like hashWordsOf, but stops before the first word of more than eight bytes. It
// returns the number of words hashed.
//
//go:noescape
func hashTiny(folded *byte, edges *int32, words *uint64, n int) (done int)

// If the words, with their separators, have fewer than tinyBytes bytes on average, nearly every
// word is a single character, and hashAll uses hashTiny.
const tinyBytes = 4

// hashAll sets each words[i] to the hash of the word folded[edges[2*i]:edges[2*i+1]].
func hashAll(words []uint64, folded []byte, edges []int32) {
	if !fast {
		plainHashAll(words, folded, edges)
		return
	}
	tiny := len(folded) < tinyBytes*len(words)
	for tiny && len(words) > 0 {
		n := hashTiny(&folded[0], &edges[0], &words[0], len(words))
		if n < len(words) {
			words[n] = hashWord(folded, edges[2*n], edges[2*n+1])
			n++
		}
		words, edges = words[n:], edges[2*n:]
	}
	if len(words) > 0 {
		hashWordsOf(&folded[0], &edges[0], &words[0], len(words))
	}
}

// lookBoth is plainLook in assembly.
//
//go:noescape
func lookBoth(in *[mixedBytes]byte, two, three mask, t *table) (found mask)

func look(in *[mixedBytes]byte, two, three mask, t *table) mask {
	if !fast {
		return plainLook(in, two, three, t)
	}
	return lookBoth(in, two, three, t)
}

// foldMixed folds the n bytes at src to dst, block by block, as foldCodePoints does. The parameter
// at is the position of dst in the folded text. foldMixed stops before a block that is incomplete
// or all ASCII, or that has an invalid code point, a four-byte code point, or a code point that
// differs from its lower case, unless the code point and its lower case have two bytes each. It
// writes the positions where words begin to every second element of beginTo, and the positions
// where words end to every second element of endTo. In each array, it may also overwrite every
// second one of the eight elements after the last position. It returns the number of bytes folded,
// the numbers of positions written to beginTo and to endTo, and whether the last byte is in a word
// that may continue (1 or 0).
//
//go:noescape
func foldMixed(dst *byte, beginTo, endTo *int32, src *byte, n int, at int32, inWord uint64, t *table) (done, begun, ended int, last uint64)

// foldMixedBlocks folds the start of the text with foldMixed, and returns the number of bytes
// folded.
func (f *folder) foldMixedBlocks(text []byte) int {
	if !fast || len(text) < mixedBytes {
		return 0
	}
	c := classesOf(Balanced)
	c.once.Do(c.buildTables)
	at, first := len(f.dst), len(f.edges)
	dst, edges := f.dst[at:cap(f.dst)], f.edges[first:cap(f.edges)]
	begins, ends := edges[first%2:], edges[1-first%2:]
	n := min(len(text), len(dst), len(edges)-blockBytes)
	done, begun, ended, last := foldMixed(&dst[0], &begins[0], &ends[0], &text[0], n, int32(at), f.inWord, &c.table)
	f.dst, f.edges, f.inWord = f.dst[:at+done], f.edges[:first+begun+ended], last
	return done
}
