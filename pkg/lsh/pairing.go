package lsh

import (
	"cmp"
	"slices"

	"doppel/pkg/topk"
)

// A Member is a record in a bucket.
type Member struct {
	Rank  uint32 // position of the record in the order of ids
	Group uint64 // digest of the record; records with equal digests form a group of equal records
	Value uint64 // used only with Pairing.Apart: members with equal values are not paired
}

// A Pairing pairs the members of a bucket.
//
// It collapses each group of equal records onto the group's first member: the other members are
// paired only with that first member, and only the first member is paired with members of other
// groups. The first members are all paired with each other, unless their number exceeds the field
// Hot. In such a hot bucket, each member is paired only with the first HotReach members of the
// bucket and with the HotReach members before it, so that no bucket takes quadratic time. The other
// pairs are counted in the field Skipped.
type Pairing struct {
	Hot    int  // above this number of members, after groups are collapsed, a bucket is hot
	All    bool // do not collapse groups
	Apart  bool // pair only members with different values, and do not collapse groups
	Common int  // above this number of groups, pair only members of the same group; 0 means no limit
	Most   int  // how many of the largest buckets to report

	Skipped Skipped
}

// HotReach limits the number of pairs in a hot bucket, as described in the comment on [Pairing].
const HotReach = 8

// A Skipped counts the pairs that were omitted in hot buckets.
type Skipped struct {
	Buckets, Pairs int64
	Largest        int // number of members of the largest hot bucket, after groups are collapsed
	Key            uint64
	Example        [2]uint32 // ranks of one skipped pair of the largest hot bucket

	Common []Common // the buckets with more than Pairing.Common groups
	Most   []Common // the largest of the buckets that are not in Common, whether hot or not
}

// A Common describes a bucket that has more than Pairing.Common groups or is one of the largest
// buckets.
type Common struct {
	Key     uint64
	Records int    // number of members after groups are collapsed, or of groups if the bucket has more than Pairing.Common groups
	Example uint32 // rank of one record in the bucket
}

// Add adds t to s: it adds up the counts, appends the lists, and keeps the fields Largest, Key and
// Example of the larger bucket.
func (s *Skipped) Add(t Skipped) {
	if t.Largest > s.Largest {
		s.Largest, s.Key, s.Example = t.Largest, t.Key, t.Example
	}
	s.Buckets += t.Buckets
	s.Pairs += t.Pairs
	s.Common = append(s.Common, t.Common...)
	s.Most = append(s.Most, t.Most...)
}

// bySize orders buckets by descending number of records, then by key.
func bySize(a, b Common) int {
	return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Key, b.Key))
}

func byGroup(a, b Member) int {
	if c := cmp.Compare(a.Group, b.Group); c != 0 {
		return c
	}
	return cmp.Compare(a.Rank, b.Rank)
}

func byRank(a, b Member) int { return cmp.Compare(a.Rank, b.Rank) }

// Bucket calls emit for each pair of a bucket, with the lower rank first. It reorders the given
// slice.
func (p *Pairing) Bucket(key uint64, members []Member, emit func(a, b uint32)) {
	if len(members) < 2 {
		return
	}
	heads := members
	if !p.All && !p.Apart {
		heads = collapseGroups(members, emit)
	}
	slices.SortFunc(heads, byRank)
	if p.Apart && !valuesDiffer(heads) {
		return
	}
	if p.noteTooCommon(key, heads) { // pair only members of the same group
		slices.SortFunc(heads, byGroup)
		for i, a := range heads {
			for _, b := range heads[i+1:] {
				if b.Group != a.Group {
					break
				}
				if p.mayPair(a, b) {
					emit(a.Rank, b.Rank)
				}
			}
		}
		return
	}
	most := topk.List[Common]{Size: p.Most, Compare: bySize, All: p.Skipped.Most}
	if one := (Common{key, len(heads), heads[0].Rank}); one.Records > 1 && most.Takes(one) {
		most.Add(one)
		p.Skipped.Most = most.All
	}
	if len(heads) > p.Hot {
		p.pairHot(key, heads, emit)
		return
	}
	for i, a := range heads {
		for _, b := range heads[i+1:] {
			if p.mayPair(a, b) {
				emit(a.Rank, b.Rank)
			}
		}
	}
}

// mayPair reports whether two members may be paired. If p.Apart is set, their values must differ.
func (p *Pairing) mayPair(a, b Member) bool { return !p.Apart || a.Value != b.Value }

func valuesDiffer(members []Member) bool {
	return slices.ContainsFunc(members, func(m Member) bool { return m.Value != members[0].Value })
}

// collapseGroups pairs the first member of each group with the group's other members, and returns
// the first members. It reorders the given slice.
func collapseGroups(members []Member, emit func(a, b uint32)) []Member {
	slices.SortFunc(members, byGroup)
	heads := members[:1]
	for _, m := range members[1:] {
		if head := heads[len(heads)-1]; m.Group == head.Group {
			emit(head.Rank, m.Rank)
		} else {
			heads = append(heads, m)
		}
	}
	return heads
}

// pairHot pairs the members of a hot bucket, which are sorted by rank.
func (p *Pairing) pairHot(key uint64, heads []Member, emit func(a, b uint32)) {
	left := p.possiblePairs(heads)
	firstOf := p.firstsFor(heads, HotReach)
	for i, b := range heads {
		first := firstOf(b)
		for _, a := range first {
			if a.Rank < b.Rank {
				emit(a.Rank, b.Rank)
				left--
			}
		}
		near := heads[min(i, max(HotReach, i-HotReach)):i]
		if p.Apart {
			near = heads[max(0, i-HotReach):i]
		}
		for _, a := range near {
			if !p.Apart || a.Value != b.Value && !slices.Contains(first, a) {
				emit(a.Rank, b.Rank)
				left--
			}
		}
	}
	p.Skipped.Add(Skipped{
		Buckets: 1,
		Pairs:   left,
		Largest: len(heads),
		Key:     key,
		Example: [2]uint32{heads[min(HotReach, len(heads)-1)].Rank, heads[len(heads)-1].Rank},
	})
}

// possiblePairs returns the number of pairs of members that mayPair allows.
func (p *Pairing) possiblePairs(members []Member) int64 {
	n := int64(len(members))
	pairs := n * (n - 1) / 2
	if p.Apart {
		counts := map[uint64]int64{}
		for _, m := range members {
			pairs -= counts[m.Value]
			counts[m.Value]++
		}
	}
	return pairs
}

// firstsFor returns a function that, given a member, returns the first members with which that
// member may be paired. The last argument is the maximum number of members to return. If p.Apart is
// set, the function returns members with the value of members[0] or, if the given member has that
// value itself, members with other values. The members must be sorted by rank.
func (p *Pairing) firstsFor(members []Member, few int) func(Member) []Member {
	if !p.Apart {
		first := members[:min(few, len(members))]
		return func(Member) []Member { return first }
	}
	var same, other []Member
	for _, m := range members {
		if m.Value == members[0].Value && len(same) < few {
			same = append(same, m)
		} else if m.Value != members[0].Value && len(other) < few {
			other = append(other, m)
		}
	}
	return func(m Member) []Member {
		if m.Value == members[0].Value {
			return other
		}
		return same
	}
}

// noteTooCommon reports whether a bucket has more groups than p.Common, and adds such a bucket to
// p.Skipped.Common. Sharing such a bucket is no evidence of similarity. The heads must be sorted by
// rank.
func (p *Pairing) noteTooCommon(key uint64, heads []Member) bool {
	if p.Common == 0 || len(heads) <= p.Common {
		return false
	}
	groups := len(heads)
	if p.All {
		sorted := slices.SortedFunc(slices.Values(heads), byGroup)
		groups = len(slices.CompactFunc(sorted, func(a, b Member) bool { return a.Group == b.Group }))
	}
	if groups <= p.Common {
		return false
	}
	p.Skipped.Common = append(p.Skipped.Common, Common{key, groups, heads[0].Rank})
	return true
}

// Across calls emit for pairs of an old and a new member of a bucket, with the old member first. It
// collapses groups of old members, but not of new members, because every new member needs its own
// decision, even if it equals another. A new member is paired with an old member of its own group
// even if the bucket is hot or too common.
func (p *Pairing) Across(key uint64, old, fresh []Member, emit func(a, b uint32)) {
	if len(old) == 0 || len(fresh) == 0 {
		return
	}
	heads := old
	if !p.All && !p.Apart {
		heads = collapseGroups(old, func(a, b uint32) {})
	}
	slices.SortFunc(heads, byRank)
	if p.noteTooCommon(key, heads) {
		p.pairEqual(heads, fresh, func(Member) []Member { return nil }, emit)
		return
	}
	if reach := p.Reach(len(fresh)); len(heads) > reach {
		skipped := Skipped{
			Buckets: 1,
			Pairs:   int64(len(heads)-reach) * int64(len(fresh)),
			Largest: len(heads) + len(fresh),
			Key:     key,
			Example: [2]uint32{heads[reach].Rank, fresh[0].Rank},
		}
		firstOf := p.firstsFor(heads, reach)
		for _, b := range fresh {
			for _, a := range firstOf(b) {
				emit(a.Rank, b.Rank)
			}
		}
		p.pairEqual(heads, fresh, firstOf, func(a, b uint32) {
			skipped.Pairs--
			emit(a, b)
		})
		p.Skipped.Add(skipped)
		return
	}
	for _, b := range fresh {
		for _, a := range heads {
			if p.mayPair(a, b) {
				emit(a.Rank, b.Rank)
			}
		}
	}
}

// Reach returns with how many old members of a bucket a new member is paired at most, if the bucket
// has n new members. All of them together have about as many pairs as p.Hot members among
// themselves.
func (p *Pairing) Reach(n int) int {
	hot := min(p.Hot, 1<<31)
	return max(2*HotReach, hot*hot/2/n)
}

// pairEqual pairs each new member with the first old member of its group or, if p.All is set, with
// all of them. It leaves out the old members that are in paired(b), which must be sorted by rank.
func (p *Pairing) pairEqual(old, fresh []Member, paired func(b Member) []Member, emit func(a, b uint32)) {
	sorted := slices.SortedFunc(slices.Values(old), byGroup)
	for _, b := range fresh {
		i, _ := slices.BinarySearchFunc(sorted, b.Group, func(m Member, group uint64) int { return cmp.Compare(m.Group, group) })
		for ; i < len(sorted) && sorted[i].Group == b.Group; i++ {
			if !p.mayPair(sorted[i], b) {
				continue
			}
			if _, found := slices.BinarySearchFunc(paired(b), sorted[i], byRank); !found {
				emit(sorted[i].Rank, b.Rank)
			}
			if !p.All {
				break
			}
		}
	}
}
