package sieve

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"doppel/pkg/lsh"
)

// hot is the maximum number of leaders per key in the tests.
const hot = 16

// A model is a table implemented as a map. It is indexed by those bits of a key that a table uses.
type model map[uint64][]uint32

func (m model) insert(key uint64, leader uint32) {
	x := key >> (64 - keyBits)
	if m[x] = append(m[x], leader); len(m[x]) > hot {
		m[x] = slices.Delete(m[x], hot/2, hot/2+1)
	}
}

func (t *table) sorted(key uint64) (all []uint32) {
	t.find(key, func(leader uint32) { all = append(all, leader) })
	slices.Sort(all)
	return all
}

// TestTable checks that a growing table finds the same leaders as the model, for frequent and rare
// keys. The table must distinguish keys that differ only in their highest bits, or only in the
// lowest bits that it uses.
func TestTable(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 1))
		table, m := newTable(1<<30, hot), model{}
		draw := func() uint64 {
			switch r.IntN(5) {
			case 0:
				return uint64(r.IntN(3)) << 62
			case 1:
				return 1<<61 | uint64(r.IntN(3))<<(64-keyBits)
			case 2:
				return lsh.Hash(uint64(r.IntN(1000)))
			case 3:
				return lsh.Hash(7) ^ uint64(r.IntN(256))<<56
			}
			return r.Uint64()
		}
		for leader := range uint32(30_000) {
			for range 3 {
				key := draw()
				if slices.Contains(m[key>>(64-keyBits)], leader) {
					continue
				}
				table.insert(key, leader)
				m.insert(key, leader)
			}
			if leader%64 == 0 {
				if key := draw(); !slices.Equal(table.sorted(key), m[key>>(64-keyBits)]) {
					t.Fatalf("seed %d, key %x: %v, want %v", seed, key, table.sorted(key), m[key>>(64-keyBits)])
				}
			}
		}
		for x, want := range m {
			if got := table.sorted(x << (64 - keyBits)); !slices.Equal(got, want) {
				t.Fatalf("seed %d, key %x: %v, want %v", seed, x, got, want)
			}
		}
	}
}

// slots returns the total number of slots.
func (t *table) slots() (n int) {
	for i := range t.parts {
		n += len(t.parts[i].Load().slots)
	}
	return n
}

// TestTableLimit checks that a table accepts keys until it has no memory for their slots. Keys
// that are close together make the table slow, but the same limit applies.
func TestTableLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, key := range map[string]func(n int) uint64{
		"random": func(int) uint64 { return r.Uint64() },
		"chosen": func(n int) uint64 { return uint64(n) << (64 - keyBits) },
	} {
		for _, mem := range []int64{1, 1 << 19, 5 << 20} {
			if name == "chosen" && mem > 1<<19 {
				continue
			}
			table, n, keys := newTable(mem, hot), 0, make([]uint64, 3)
			for {
				for i := range keys {
					keys[i] = key(3*n + i)
				}
				if !table.hasRoom(keys) {
					break
				}
				for _, k := range keys {
					table.insert(k, uint32(n))
				}
				n++
			}
			slots := table.slots()
			if most := max(int(mem/8), leastSlots<<partBits); slots > most || name == "random" && 3*n < slots/3 {
				t.Errorf("%s, %d bytes: %d keys in %d slots", name, mem, 3*n, slots)
			}
		}
	}
}

// TestTableIsShared checks that a lookup finds every leader inserted before it, while other
// leaders are inserted and the table grows.
func TestTableIsShared(t *testing.T) {
	const leaders = 30_000
	table := newTable(1<<30, hot)
	key := func(leader uint32) uint64 { return uint64(leader+1) * 0x9e3779b97f4a7c15 }
	var wg sync.WaitGroup
	known := make(chan uint32, leaders)
	for range 3 {
		wg.Go(func() {
			for leader := range known {
				if got := table.sorted(key(leader)); !slices.Equal(got, []uint32{leader}) {
					t.Errorf("leader %d: %v", leader, got)
				}
			}
		})
	}
	for leader := range uint32(leaders) {
		table.insert(key(leader), leader)
		known <- leader
	}
	close(known)
	wg.Wait()
}

func BenchmarkTable(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	keys := make([]uint64, 1<<20)
	for i := range keys {
		keys[i] = r.Uint64()
	}
	table := newTable(1<<30, hot)
	for i, key := range keys {
		table.insert(key, uint32(i))
	}
	i, found := 0, 0
	for b.Loop() {
		i = (i + 1) % len(keys)
		table.find(keys[i]+1, func(uint32) { found++ })
	}
}
