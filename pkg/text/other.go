//go:build !amd64

package text

func (f *folder) blocks(text []byte) int { return f.plainBlocks(text) }

func hashAll(words []uint64, folded []byte, edges []int32) { plainHashAll(words, folded, edges) }

func scan(out, in *[blockBytes]byte, k *kinds) { plainScan(out, in, k) }
