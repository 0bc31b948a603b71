package sieve

import "sync"

// A cache keeps the most recently used values of leaders, such as their sets, in a limited number of
// bytes. It is safe for concurrent use. It has a young half and an old half. When a value is used, it
// moves to the young half. When the young half is full, it becomes the old half, and the cache drops
// the values of the previous old half. So the most recently used values always stay, up to half of
// the limit.
type cache[V any] struct {
	mu         sync.Mutex
	half       int64
	size       int64 // total size in bytes of the values in the young half
	young, old map[uint32]cached[V]
}

// cached is a value with its size in bytes.
type cached[V any] struct {
	value V
	bytes int64
}

func newCache[V any](mem int64) *cache[V] {
	return &cache[V]{half: mem / 2, young: map[uint32]cached[V]{}}
}

// get returns the value of a leader, if the cache has it.
func (c *cache[V]) get(leader uint32) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x, ok := c.young[leader]
	if !ok {
		if x, ok = c.old[leader]; ok {
			c.add(leader, x)
		}
	}
	return x.value, ok
}

// put adds the value of a leader, which has the given size.
func (c *cache[V]) put(leader uint32, value V, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(leader, cached[V]{value, bytes})
}

// setBytes is the estimated memory of a cached value in bytes, without the words that it points to.
const setBytes = 64

func (c *cache[V]) add(leader uint32, x cached[V]) {
	if c.size+x.bytes > c.half && c.size > 0 {
		c.old, c.young, c.size = c.young, map[uint32]cached[V]{}, 0
	}
	c.young[leader] = x
	c.size += x.bytes
}
