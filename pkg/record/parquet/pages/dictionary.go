package pages

import (
	"encoding/binary"
	"weak"
)

// A dictionary holds the texts of a chunk whose pages hold indexes. It is never unpacked:
// one text may be the value of a million rows.
type dictionary struct {
	body   []byte   // plain texts, each with its length before it
	starts []uint32 // of each of these lengths, and the end
}

func (d *dictionary) size() int { return len(d.starts) - 1 }

func (d *dictionary) text(i int32) []byte {
	end := d.starts[i+1]
	return d.body[d.starts[i]+4 : end : end]
}

// dictionary returns the dictionary of a chunk of texts. It is read again if nobody
// has held it for a while, so that it takes memory only while its chunk is read.
func (c *chunk) dictionary() (*dictionary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.texts.Value(); d != nil {
		return d, nil
	}
	b, err := c.inflated(c.dict, nil)
	if err == nil {
		err = auditDictionary(b, c.dict, c.leaf)
	}
	if err != nil {
		return nil, err
	}
	d := &dictionary{body: b, starts: make([]uint32, 1, c.dict.values+1)}
	for at, n := uint32(0), c.dict.values; n > 0; n-- {
		at += 4 + binary.LittleEndian.Uint32(b[at:])
		d.starts = append(d.starts, at)
	}
	c.texts = weak.Make(d)
	return d, nil
}

// longest returns the length of the longest text.
func (d *dictionary) longest() (n uint32) {
	for i := range d.size() {
		n = max(n, d.starts[i+1]-d.starts[i]-4)
	}
	return n
}
