package corpus

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// A cache knows texts that went to bins not long ago, so that a hot one is
// written once and not a million times. Texts lie in a ring, the oldest of
// which is overwritten; a slot that another text wants is taken from it.
// A text is known in the group that it came in: the same text has the same key, but for
// keys that were harmed.
type cache struct {
	ring  []byte
	end   int64 // of what was ever written to the ring
	slots []slot
	hash  uint64 // of the text that was asked for last
	slot  *slot  // its
}

type slot struct {
	hash   uint64
	start  int64 // as end counts
	number int   // among the texts of the bin
	size   int32
	bin    int32
	group  uint32
}

// A text of a run of the default scheme has 275 bytes in the mean.
const textsPerSlot = 256

// find returns what is known of the text in a group of the bin, or nil.
func (c *cache) find(bin int, group uint32, text []byte) *slot {
	c.hash = xxh3.Hash(text)
	c.slot = &c.slots[c.hash&uint64(len(c.slots)-1)]
	k := c.slot
	if k.hash != c.hash || int(k.bin) != bin || k.group != group || int(k.size) != len(text) || k.start+int64(len(c.ring)) < c.end {
		return nil
	}
	at := int(k.start % int64(len(c.ring)))
	if !bytes.Equal(c.ring[at:at+len(text)], text) {
		return nil
	}
	return k
}

// keep notes the text that was asked for last and is in the bin now.
func (c *cache) keep(bin int, group uint32, number int, text []byte) {
	if len(text) > len(c.ring)/16 {
		return
	}
	size := int64(len(c.ring))
	if at := c.end % size; at+int64(len(text)) > size {
		c.end += size - at // the text is not cut in two
	}
	copy(c.ring[c.end%size:], text)
	*c.slot = slot{c.hash, c.end, number, int32(len(text)), int32(bin), group}
	c.end += int64(len(text))
}
