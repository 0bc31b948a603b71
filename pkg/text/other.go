//go:build !amd64 || purego

package text

// fast reports whether assembly is used. This build has none.
var fast = false

func (f *folder) foldBlocks(text []byte) int { return f.plainFoldBlocks(text) }

func hashAll(words []uint64, folded []byte, edges []int32) { plainHashAll(words, folded, edges) }

func scan(out, in *[blockBytes]byte, k *kinds) { plainScan(out, in, k) }

func look(in *[mixedBytes]byte, two, three mask, t *table) mask {
	return plainLook(in, two, three, t)
}

func (f *folder) foldMixedBlocks([]byte) int { return 0 }
