//go:build !purego

package language

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// fast reports whether the processor can run the assembly.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

// addRows writes the sums of the weights in n rows of 32 bytes, those of the
// grams, to sums. No more than batch of them fit.
//
//go:noescape
func addRows(sums *[maxLanguages]uint16, table *byte, shift uint64, grams *uint64, n int)

// addWide is add for rows of 32 bytes: 2 ns a trigram.
func (m *model) addWide(sum *score, grams []uint64) {
	if !fast || len(grams) == 0 || len(grams) > batch {
		m.plainAddWide(sum, grams)
		return
	}
	var sums [maxLanguages]uint16
	addRows(&sums, unsafe.StringData(m.table), uint64(64-m.bits), &grams[0], len(grams))
	for i, n := range sums {
		sum[i] += uint32(n)
	}
}
