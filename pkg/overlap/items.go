package overlap

import (
	"bytes"
	"errors"
	"math"
)

// Items holds the texts of test items. All items have the same number of fields. Fields are
// numbered consecutively across all items.
type Items struct {
	opt           Options
	fieldsPerItem int      // number of fields in each item
	arena         []byte   // the normalised words of all fields, with LF after each field
	starts        []uint32 // start of each field in the arena
	counts        []uint32 // number of words in each field
	words         *words
}

// Errors that Items.Add returns.
var (
	ErrNoWords = errors.New("no words")
	ErrFull    = errors.New("the words of the test items exceed 4 GB")
)

// NewItems returns an empty list of items with the given number of fields each.
func NewItems(o Options, fields int) *Items {
	return &Items{opt: o, fieldsPerItem: fields, words: newWords(o.Normalize)}
}

// Add appends the next field. If the field has no words, Add adds nothing and returns ErrNoWords.
func (it *Items) Add(field []byte) error {
	at := len(it.arena)
	it.arena = it.words.spell(it.arena, field)
	n := len(it.arena) - at
	if n == 0 {
		return ErrNoWords
	}
	if len(it.arena) >= math.MaxUint32 {
		it.arena = it.arena[:at]
		return ErrFull
	}
	it.starts = append(it.starts, uint32(at))
	it.counts = append(it.counts, uint32(bytes.Count(it.arena[at:], space)+1))
	it.arena = append(it.arena, '\n')
	return nil
}

var space = []byte{' '}

// Drop removes the last n fields. A caller uses it to remove an item that it rejects or could not
// add completely.
func (it *Items) Drop(n int) {
	left := len(it.starts) - n
	if n > 0 {
		it.arena = it.arena[:it.starts[left]]
	}
	it.starts, it.counts = it.starts[:left], it.counts[:left]
}

// Len returns the total number of fields in all items.
func (it *Items) Len() int { return len(it.starts) }

// spelled returns the words of a field, separated by spaces.
func (it *Items) spelled(field int) []byte {
	end := len(it.arena)
	if field+1 < len(it.starts) {
		end = int(it.starts[field+1])
	}
	return it.arena[it.starts[field] : end-1]
}
