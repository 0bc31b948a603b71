//go:build !purego

package text

// hashWordsOf hashes n words to words, as hashWord does. Sixteen bytes from the
// start of each word on must be readable.
//
//go:noescape
func hashWordsOf(folded *byte, edges *int32, words *uint64, n int)

// hashTiny is hashWordsOf up to a word of more than eight bytes. It returns how
// many it did.
//
//go:noescape
func hashTiny(folded *byte, edges *int32, words *uint64, n int) (done int)

// tinyBytes is the average length, with what is between words, up to which they
// are taken for characters.
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
