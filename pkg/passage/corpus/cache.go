package corpus

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// A cache remembers texts that were recently added to bins, so that a frequent text is written
// once and not a million times. Texts are in a ring, where new ones overwrite the oldest; a
// slot belongs to the last text that hashed to it. A text is found only for the group that it
// was added for: equal texts have equal keys, unless keys were corrupted.
type cache struct {
	ring  []byte
	end   int64 // bytes ever written to the ring
	slots []slot
	hash  uint64 // of the text of the last find
	slot  *slot  // its slot
}

type slot struct {
	hash   uint64
	start  int64 // compares with end
	number int   // of the text in the bin
	size   int32
	bin    int32
	group  uint32
}

// A text of a run of the default scheme has 275 bytes on average.
const textsPerSlot = 256

// find returns the slot of an equal text in a group of the bin, or nil.
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

// keep records the text of the last find, which is now in the bin.
func (c *cache) keep(bin int, group uint32, number int, text []byte) {
	if len(text) > len(c.ring)/16 {
		return
	}
	size := int64(len(c.ring))
	if at := c.end % size; at+int64(len(text)) > size {
		c.end += size - at // a text is never split
	}
	copy(c.ring[c.end%size:], text)
	*c.slot = slot{c.hash, c.end, number, int32(len(text)), int32(bin), group}
	c.end += int64(len(text))
}
