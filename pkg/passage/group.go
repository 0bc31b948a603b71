package passage

import "doppel/pkg/fingerprint"

// A Member is a run with its text. The caller chooses the positions: passage n of a member, counted
// from 0, is at Pos+n. The caller adds members in ascending order of Pos. Passages of different
// texts must not have adjacent positions, because [Match.Extend] joins passages by position.
type Member struct {
	Pos   uint64
	Count int    // number of passages
	Twice bool   // see Run.Twice
	Value uint32 // passages of members with different values count as different
	Text  []byte // from Units.Text; the Group retains it until Reset
}

// A Match reports Count repeated passages: the passage at Pos+i equals the passage at From+i, or
// at From+i%Period if Period is not 0.
type Match struct {
	Pos, From uint64
	Count     int
	Copies    int // total number of occurrences of the rarest of these passages
	Period    int // see Repeat.Period
}

// A Keep says which copies of a passage stay.
type Keep byte

// The values of Keep.
const (
	KeepFirst Keep = iota // the first copy stays: a passage is repeated if it occurred before
	KeepNone              // no copy stays: a passage is repeated if it occurs at least twice
)

// A Rule says when a passage is repeated: under KeepFirst, if it has occurred at least Copies times
// before; under KeepNone, if it occurs more than Copies times in total. Copies is at least 1.
type Rule struct {
	Keep   Keep
	Copies int
}

// A Group finds the equal passages among the runs that share a key. The caller first adds each run
// as a Member, then calls AppendMatches for each of them. A Group is not safe for concurrent use.
//
// If a run with the same text was added before, Add only hashes the whole text and compares it with
// the earlier text. In a new text, Add looks up each passage by its hash and compares the bytes.
// Once a passage equals a known passage, Add compares the passage after it with the passage after
// the known one, without a lookup. If units are bytes, comparing the last bytes of the two passages
// suffices. So the time is linear in the total size of the texts. The memory, about 40 B per
// passage, is linear in the total size of the distinct texts. Hashes only select candidates; Add
// always compares texts.
type Group struct {
	rule     Rule
	length   int
	unit     Unit
	hasher   *fingerprint.Hasher
	contexts []context
	passages []origin
	second   []uint64 // position of the second occurrence of each passage; used only under KeepNone
	ids      []uint32 // ids of the passages of all contexts, in the order of the contexts
	byText   table
	byHash   table
	hashes   []uint64
	values   []uint64
	later    []Match // matches of members whose passages are all repeated
	texts    int     // total size of the contexts' texts
	counted  bool    // whether the copies of each passage have been counted
}

// A context is a distinct pair of text and value, which one or more members share.
type context struct {
	text    []byte
	value   uint32
	pos     uint64 // position of the context's first member
	hash    uint64
	first   int // index in Group.ids of the context's first passage
	count   int
	members int
	hashed  bool   // whether the context's passages are in Group.byHash
	asked   int    // number of members for which matches were returned
	later   [2]int // range of the context's matches in Group.later; zero until computed
}

// An origin is the first occurrence of a distinct passage.
type origin struct {
	context uint32
	at      uint32 // number of the passage in the context
	copies  uint32
	seen    uint32
}

// NewGroup returns an empty group. It returns an error if [Scheme.Check] does.
func NewGroup(s Scheme, rule Rule) (*Group, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	h, err := s.hasher(s.Length)
	g := &Group{rule: rule, length: s.Length, unit: s.Unit, hasher: h}
	g.Reset()
	return g, err
}

// mostPassages is the maximum capacity, in elements, of the slices that Reset keeps for reuse.
const mostPassages = 1 << 16

// Reset empties the group for new members. It frees slices that have become large.
func (g *Group) Reset() {
	if cap(g.ids) > mostPassages || cap(g.contexts) > mostPassages {
		g.ids, g.passages, g.second, g.contexts, g.later = nil, nil, nil, nil, nil
	}
	g.contexts, g.passages, g.ids, g.second = g.contexts[:0], g.passages[:0], g.ids[:0], g.second[:0]
	g.later = g.later[:0]
	g.byText.reset()
	g.byHash.reset()
	g.texts, g.counted = 0, false
}

// Size returns the approximate memory of the group in bytes, including the texts.
func (g *Group) Size() int {
	return g.texts + 16*cap(g.passages) + 4*cap(g.ids) + 64*cap(g.contexts) + 8*cap(g.second) + 8*(len(g.byText.slots)+len(g.byHash.slots))
}
