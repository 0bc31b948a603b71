//go:build !purego

package text

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

// foldMixed folds blocks as whole does, of the n bytes from src on, to dst,
// which begins at the position at of the text. It stops before a block that is
// all ASCII, that has code points of four bytes, another lower case or what is
// not UTF-8, or that may not be read whole. It writes where words begin and end,
// each to every second place and up to four more, and returns how many bytes it
// did, how many begins and ends these were, and whether the last byte is in a
// word that may go on.
//
//go:noescape
func foldMixed(dst *byte, beginTo, endTo *int32, src *byte, n int, at int32, inWord uint64, t *table) (done, begun, ended int, last uint64)

// mixedBlocks folds what foldMixed can of the text, and returns how many bytes
// that were.
func (f *folder) mixedBlocks(text []byte) int {
	if !fast || len(text) < mixedBytes {
		return 0
	}
	c := classesOf(Balanced)
	c.once.Do(c.fill)
	at, first := len(f.dst), len(f.edges)
	dst, edges := f.dst[at:cap(f.dst)], f.edges[first:cap(f.edges)]
	begins, ends := edges[first%2:], edges[1-first%2:]
	n := min(len(text), len(dst), len(edges)-blockBytes)
	done, begun, ended, last := foldMixed(&dst[0], &begins[0], &ends[0], &text[0], n, int32(at), f.inWord, &c.table)
	f.dst, f.edges, f.inWord = f.dst[:at+done], f.edges[:first+begun+ended], last
	return done
}
