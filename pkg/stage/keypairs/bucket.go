package keypairs

import (
	"slices"

	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
)

// A bucket is the lines whose keys meet. Their ids are numbered when there are two of
// them: most keys are those of one record, of which nothing is kept.
type bucket struct {
	number  uint64
	entries []entry
	text    []byte // of the ids
	members []lsh.Member
}

// An entry is a line of a bucket.
type entry struct {
	id     []byte
	number uint32 // of the id
	group  uint64 // of lines with the same key
}

func (b *bucket) add(id []byte, group uint64) {
	start := len(b.text)
	b.text = append(b.text, id...)
	b.entries = append(b.entries, entry{id: b.text[start:], group: group})
}

// pair calls emit with the numbers of all pairs, and returns the bucket if too
// many have its key. The entries are sorted by their ids then.
func (b *bucket) pair(table *ids.Table, p *lsh.Pairing, emit func(a, b uint32)) (common []lsh.Common) {
	if len(b.entries) < 2 {
		return nil
	}
	slices.SortFunc(b.entries, func(a, b entry) int { return ids.Compare(a.id, b.id) })
	b.members = b.members[:0]
	for i := range b.entries {
		n := &b.entries[i]
		n.number = table.Intern(n.id)
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

// clear makes room for the next bucket.
func (b *bucket) clear() {
	b.number++
	b.entries, b.text = b.entries[:0], b.text[:0]
}
