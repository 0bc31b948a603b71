package corpus

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// A cache remembers texts that were recently added to bins, so that spill writes a frequent text
// once instead of a million times. A ring holds the texts; new texts overwrite the oldest ones. A
// slot describes the last text that hashed to it. The method find considers only the texts of the
// given bin and group, because the members of a bin are compared group by group.
type cache struct {
	ring  []byte
	end   int64 // total number of bytes written to the ring so far
	slots []slot
	hash  uint64 // hash of the text passed to the latest call of find
	slot  *slot  // slot for the text passed to the latest call of find
}

type slot struct {
	hash   uint64
	start  int64 // value of cache.end when the text was written
	number int   // index of the text among the texts of the bin
	size   int32
	bin    int32
	group  uint32
}

// bytesPerSlot is the maximum number of bytes of the ring per slot. The text of a run of the
// default scheme has 275 bytes on average.
const bytesPerSlot = 256

// find returns the slot of a text of the given bin and group that equals the given text, or nil if
// the cache holds no such text.
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

// keep stores the text that was passed to the latest call of find. That call must have returned
// nil. number is the index of this text among the texts of the bin. keep ignores a text larger than
// 1/16 of the ring.
func (c *cache) keep(bin int, group uint32, number int, text []byte) {
	if len(text) > len(c.ring)/16 {
		return
	}
	size := int64(len(c.ring))
	if at := c.end % size; at+int64(len(text)) > size {
		c.end += size - at // a text is never split at the end of the ring
	}
	copy(c.ring[c.end%size:], text)
	*c.slot = slot{c.hash, c.end, number, int32(len(text)), int32(bin), group}
	c.end += int64(len(text))
}
