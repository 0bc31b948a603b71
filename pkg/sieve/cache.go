package sieve

import "sync"

// A cache keeps the most recently used sets of leaders, in a limited number of bytes. It is safe
// for concurrent use. It has a young half and an old half. When a set is used, it moves to the
// young half. When the young half is full, it becomes the old half, and the cache drops the sets
// of the previous old half. So the most recently used sets always stay, up to half of the limit.
type cache struct {
	mu         sync.Mutex
	half       int64
	size       int64 // total size in bytes of the sets in the young half
	young, old map[uint32][]uint64
}

func newCache(mem int64) *cache {
	return &cache{half: mem / 2, young: map[uint32][]uint64{}}
}

// get returns the set of a leader, or nil if the cache does not have it.
func (c *cache) get(leader uint32) []uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if set := c.young[leader]; set != nil {
		return set
	}
	set := c.old[leader]
	if set != nil {
		c.add(leader, set)
	}
	return set
}

func (c *cache) put(leader uint32, set []uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(leader, set)
}

// setBytes is the estimated memory of a cached set in bytes, not counting its hashes.
const setBytes = 64

func (c *cache) add(leader uint32, set []uint64) {
	bytes := int64(8*len(set) + setBytes)
	if c.size+bytes > c.half && c.size > 0 {
		c.old, c.young, c.size = c.young, map[uint32][]uint64{}, 0
	}
	c.young[leader] = set
	c.size += bytes
}
