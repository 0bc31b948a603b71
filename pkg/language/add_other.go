//go:build !amd64 || purego

package language

// fast reports whether the processor can run assembly, of which there is none.
var fast = false

func (m *model) addWide(sum *score, grams []uint64) { m.plainAddWide(sum, grams) }
