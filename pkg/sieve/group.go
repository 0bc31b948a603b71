package sieve

import (
	"slices"
	"sync/atomic"

	"doppel/pkg/par"
)

// Most records of most inputs share no key with another record. For those, all work on the table can
// be done in parallel, although leaders are chosen in order: Begin looks up the keys of a group of
// batches, and marks each record that shares a key with a leader or with another record of the group.
// Decide then has nothing to do for the other records, which are alone. Insert only numbers those, and
// End inserts their keys. No other record of the group has these keys, so their order does not matter.
// The parts of the table are independent of each other, and each is used by one goroutine at a time.

// A Lot holds the records of a batch, and their keys in the order of the parts of the table.
type Lot struct {
	records []Record
	entries []entry                 // sorted by part
	begin   [1<<partBits + 1]uint32 // the entries of part i are entries[begin[i]:begin[i+1]]
	filled  bool                    // entries has all keys
	looked  bool                    // Begin has looked up the keys
}

// An entry is the tag of a key, and the index of the record that has it.
type entry struct {
	tag, record uint32
	slot        uint32 // where the search of Begin for the key ended
}

// Fill replaces the contents of the lot with the records of a batch, which must not move until End.
func (s *Sieve) Fill(l *Lot, records []Record) {
	l.records, l.entries, l.looked = records, l.entries[:0], false
	if l.filled = !s.crowded.Load(); !l.filled {
		return
	}
	var at [1<<partBits + 1]uint32
	for i := range records {
		for _, key := range records[i].Keys {
			at[key>>(64-partBits)+1]++
		}
		records[i].lot = l
	}
	for i := range 1 << partBits {
		at[i+1] += at[i]
	}
	l.begin = at
	n := int(at[1<<partBits])
	l.entries = slices.Grow(l.entries, n)[:n]
	for i := range records {
		for _, key := range records[i].Keys {
			part := key >> (64 - partBits)
			l.entries[at[part]] = entry{tag: uint32(tagOf(key)), record: uint32(i)}
			at[part]++
		}
	}
}

// of returns the entries of a part of the table.
func (l *Lot) of(part int) []entry { return l.entries[l.begin[part]:l.begin[part+1]] }

// isAlone reports whether Begin has found that the record shares no key with another.
func (r *Record) isAlone() bool { return r.lot != nil && r.lot.looked && r.shares == 0 }

// chore is the number of parts of the table that a goroutine works on at a time in Begin and End. Another
// goroutine takes part for each chunk of keys; with fewer keys, it would take as long to wake it.
const chore, chunk = 8, 2 << 10

// eachChore calls do with the first part of each chore, in several goroutines if the group has many keys.
func (s *Sieve) eachChore(do func(first int)) {
	keys := 0
	for _, l := range s.group {
		keys += len(l.entries)
	}
	par.Each(min(s.opt.Jobs, 1+keys/chunk), 1<<partBits/chore, func(i int) { do(i * chore) })
}

// Begin begins a group of lots, in record order. Decide and Insert must be called for their records,
// in the same order, before End. Until End, Look does not compare records with the leaders of the group.
// Begin looks up no keys if many records share keys, or if the table may become full within the group.
func (s *Sieve) Begin(lots []*Lot) {
	s.begun, s.group = true, s.group[:0]
	if slices.ContainsFunc(lots, func(l *Lot) bool { return !l.filled }) || !s.full && !s.fits(lots) {
		return
	}
	s.group = append(s.group, lots...)
	for _, l := range lots {
		l.looked = true
	}
	s.eachChore(s.lookUp)
}

// fits reports whether HasRoom is true for all records of the lots, even if all become leaders.
func (s *Sieve) fits(lots []*Lot) bool {
	slots, most := 0, 0
	for i := range s.table.parts {
		p, keys := s.table.parts[i].Load(), 0
		for _, l := range lots {
			keys += len(l.of(i))
		}
		size := p.sizeFor(keys + fewKeys)
		slots += size - len(p.slots)
		most = max(most, size)
	}
	return slots+s.opt.Bands.B*most <= int(s.table.room.Load())
}

// A sighting is the first record of a group with a key of a part.
type sighting struct{ tag, record, lot uint32 } // lot is counted from 1; 0 marks an empty slot

// lookUp marks the records of the group that share a key of a chore with a leader or with each other.
func (s *Sieve) lookUp(first int) {
	for part := first; part < first+chore; part++ {
		p := s.table.parts[part].Load()
		s.looked[part] = p
		for _, l := range s.group {
			for _, e := range l.of(part) {
				atomic.LoadUint64(&p.slots[p.firstSlot(uint64(e.tag))]) // as in prefetch
			}
		}
	}
	scratch := s.scratch.Get()
	for part := first; part < first+chore; part++ {
		*scratch = s.lookUpPart(part, *scratch)
	}
	s.scratch.Put(scratch)
}

// lookUpPart is lookUp for a part. It returns the scratch memory, which may have grown.
func (s *Sieve) lookUpPart(part int, scratch []sighting) []sighting {
	p, keys := s.looked[part], 0
	for _, l := range s.group {
		keys += len(l.of(part))
	}
	seen := slices.Grow(scratch[:0], 2*keys)[:2*keys]
	clear(seen)
	for i, l := range s.group {
		entries := l.of(part)
	keys:
		for j := range entries {
			e := &entries[j]
			slot, used := p.search(uint64(e.tag))
			if e.slot = uint32(slot); used {
				l.records[e.record].share()
				continue
			}
			at := uint64(e.tag) * uint64(len(seen)) >> slotBits
			for seen[at].lot != 0 {
				if first := seen[at]; first.tag == e.tag {
					l.records[e.record].share()
					s.group[first.lot-1].records[first.record].share()
					continue keys
				}
				if at++; at == uint64(len(seen)) {
					at = 0
				}
			}
			seen[at] = sighting{e.tag, e.record, uint32(i) + 1}
		}
	}
	return seen
}

// share marks a record that shares a key.
func (r *Record) share() { atomic.StoreUint32(&r.shares, 1) }

// End ends the group that Begin has begun. Afterwards, Look takes its leaders into account.
func (s *Sieve) End() {
	if len(s.group) > 0 {
		s.eachChore(s.insertAlone)
	}
	for _, l := range s.group {
		l.looked = false
	}
	s.begun, s.group = false, s.group[:0]
	s.leaders.Store(s.inserted)
}

// insertAlone inserts the keys of a chore of those leaders of the group that are alone.
func (s *Sieve) insertAlone(first int) {
	for part := first; part < first+chore; part++ {
		at, looked := &s.table.parts[part], s.looked[part]
		for _, l := range s.group {
			for _, e := range l.of(part) {
				number := l.records[e.record].number
				if number == 0 {
					continue
				}
				p, from := s.table.growFull(at), uint64(e.slot)
				if p != looked {
					from = p.firstSlot(uint64(e.tag))
				}
				p.put(from, uint64(e.tag)<<slotBits|uint64(number))
			}
		}
		s.looked[part] = nil // a part that has grown can be freed
	}
}
