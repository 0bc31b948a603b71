package text

// hashShort hashes up to n words to words, as hashWord does, and stops before
// one of more than sixteen bytes. It returns how many it did. Sixteen bytes from
// the start of each word on must be readable.
//
//go:noescape
func hashShort(folded *byte, edges *int32, words *uint64, n int) (done int)

// hashAll hashes the words between the edges.
func hashAll(words []uint64, folded []byte, edges []int32) {
	if !fast {
		plainHashAll(words, folded, edges)
		return
	}
	for len(words) > 0 {
		n := hashShort(&folded[0], &edges[0], &words[0], len(words))
		if n < len(words) {
			words[n] = hashWord(folded, edges[2*n], edges[2*n+1])
			n++
		}
		words, edges = words[n:], edges[2*n:]
	}
}
