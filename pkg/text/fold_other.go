//go:build !amd64

package text

func (f *folder) blocks(text []byte) int { return f.plainBlocks(text) }
