// Package exact hashes records to 128 bits, for finding those that are equal.
//
// A text is hashed as [digest.Hash] does it, by XXH3-128, or by HighwayHash-128
// where others write it and a key is given. Several fields are hashed with their
// lengths behind them, so that ("ab", "c") and ("a", "bc") differ.
package exact

import (
	"encoding/binary"

	"doppel/pkg/digest"
	"doppel/pkg/text"
)

// A Sum is the hash of a record.
type Sum = digest.Sum

// Options say what is hashed of a record, and how.
type Options struct {
	Key       []byte // of digest.KeySize bytes: HighwayHash; nil: XXH3
	Whole     bool   // the text is the whole record
	Normalize text.Normalization
}

// hash returns the hash function. The only error is a key of the wrong size.
func (o Options) hash() (h digest.Hash, err error) {
	if o.Key != nil {
		h, err = digest.Keyed(o.Key)
	}
	return h, err
}

// appendEnds appends the ends of fields.
func appendEnds(dst []byte, ends []int) []byte {
	for _, end := range ends {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(end))
	}
	return dst
}
