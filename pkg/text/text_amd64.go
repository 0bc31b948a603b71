//go:build !purego

package text

import "golang.org/x/sys/cpu"

// fast reports whether the processor can run the assembly.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// foldASCII folds n bytes from src to dst in blocks of 64, up to the last whole block or the
// first byte that is not ASCII. dst begins at position at of the folded text. It returns how
// many bytes it folded, how many edges it wrote (at most one per byte and seven more), and
// whether the last byte is in a word.
//
//go:noescape
func foldASCII(dst *byte, edges *int32, src *byte, n int, at int32, inWord uint64) (done, edged int, last uint64)

// foldBlocks folds the ASCII bytes at the start of the text and returns how many it folded: all of
// them, or all but fewer than 64 at the end of the text.
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

// scanBlock copies 64 bytes to out with ASCII in lower case, and classifies them.
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

// hashWordsOf hashes n words like hashWord. Sixteen bytes from the start of each word must be
// readable.
//
//go:noescape
func hashWordsOf(folded *byte, edges *int32, words *uint64, n int)

// hashTiny is hashWordsOf up to the first word of more than eight bytes. It returns how many
// words it hashed.
//
//go:noescape
func hashTiny(folded *byte, edges *int32, words *uint64, n int) (done int)

// tinyBytes is the average length, with separators, up to which words count as single
// characters.
const tinyBytes = 4

// hashAll hashes the words between the edges.
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

// lookBoth is plainLook.
//
//go:noescape
func lookBoth(in *[mixedBytes]byte, two, three mask, t *table) (found mask)

func look(in *[mixedBytes]byte, two, three mask, t *table) mask {
	if !fast {
		return plainLook(in, two, three, t)
	}
	return lookBoth(in, two, three, t)
}

// foldMixed folds blocks like foldCodePoints, from the n bytes at src to dst, which begins at
// position at of the folded text. It stops before a block that is all ASCII or incomplete, or
// has code points of four bytes, invalid ones, or ones with a lower case of another length. It
// writes the begins and ends of words to every second element, up to four more than returned.
// It returns how many bytes it folded, how many begins and ends it wrote, and whether the last
// byte is in a word that may continue.
//
//go:noescape
func foldMixed(dst *byte, beginTo, endTo *int32, src *byte, n int, at int32, inWord uint64, t *table) (done, begun, ended int, last uint64)

// foldMixedBlocks runs foldMixed and returns how many bytes it folded.
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
