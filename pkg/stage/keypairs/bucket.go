package keypairs

import (
	"slices"

	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
)

// A bucket is the lines whose keys meet.
type bucket struct {
	number  uint64
	entries []entry
	members []lsh.Member
}

// An entry is a line of a bucket.
type entry struct {
	number uint32 // of the id
	group  uint64 // of lines with the same key
	id     []byte
}

func (b *bucket) add(number uint32, group uint64) {
	b.entries = append(b.entries, entry{number: number, group: group})
}

// pair calls emit with the numbers of all pairs, and returns the bucket if too
// many have its key. The entries are sorted by their ids then.
func (b *bucket) pair(list *ids.List, p *lsh.Pairing, emit func(a, b uint32)) (common []lsh.Common) {
	if len(b.entries) < 2 {
		return nil
	}
	b.sort(list)
	b.members = b.members[:0]
	for i, n := range b.entries {
		b.members = append(b.members, lsh.Member{Rank: uint32(i), Group: n.group})
	}
	p.Bucket(b.number, b.members, func(i, j uint32) {
		if x, y := b.entries[i].number, b.entries[j].number; x != y {
			emit(x, y)
		}
	})
	common, p.Skipped.Common = p.Skipped.Common, nil
	return common
}

func (b *bucket) sort(list *ids.List) {
	for i := range b.entries {
		b.entries[i].id = list.Append(nil, int(b.entries[i].number))
	}
	slices.SortFunc(b.entries, func(a, b entry) int { return ids.Compare(a.id, b.id) })
}

// clear makes room for the next bucket.
func (b *bucket) clear() {
	b.number++
	b.entries = b.entries[:0]
}
