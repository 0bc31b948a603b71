//go:build !amd64

package text

// fast reports whether the processor can run assembly, of which there is none.
var fast = false

func (f *folder) blocks(text []byte) int { return f.plainBlocks(text) }

func hashAll(words []uint64, folded []byte, edges []int32) { plainHashAll(words, folded, edges) }

func scan(out, in *[blockBytes]byte, k *kinds) { plainScan(out, in, k) }

func lookTwo(in *[mixedBytes]byte, m mask, t *table) mask { return plainLookTwo(in, m, t) }

func lookThree(in *[mixedBytes]byte, m mask, t *table) mask { return plainLookThree(in, m, t) }

func every2(edges []int32, m mask, n int, at int32) { plainEvery2(edges, m, n, at) }
