package passage

import "doppel/pkg/fingerprint"

// A Member is a run with its text. The caller chooses its position: its passage n, counted from
// 0, is at Pos+n, and members are added in ascending order. Passages of different texts never
// have consecutive positions by accident, because no run ends with the last unit of a text.
type Member struct {
	Pos   uint64
	Count int    // number of passages
	Twice bool   // as in Run
	Value uint32 // passages of members with different values are not equal
	Text  []byte // as Units.Text returns it; kept until Reset
}

// A Match reports that the Count passages from Pos on are repeated: they equal the passages
// from From on.
type Match struct {
	Pos, From uint64
	Count     int
	Copies    int // total occurrences of the rarest of the passages
	Period    int // as in Repeat
}

// A Keep says which copies of a passage stay.
type Keep byte

// The copies that stay.
const (
	KeepFirst Keep = iota // the first: a passage is repeated if it occurred before
	KeepNone              // none: a passage is repeated if it occurs at least twice
)

// A Rule says when a passage is repeated: under KeepFirst if it has occurred at least Copies
// times before, where Copies is at least 1; under KeepNone if it occurs more than Copies times.
type Rule struct {
	Keep   Keep
	Copies int
}

// A Group finds the equal passages among the runs that share a key, in two passes: add all
// runs, then ask for the matches of each run. It is not safe for concurrent use.
//
// A run whose whole text was added before costs one hash and one comparison. In a new text each
// passage is looked up by its hash and compared; a passage that follows an equal pair in both
// texts is compared only by its last unit. So time is linear in the text of the members, and
// memory, about 40 B per passage, in their distinct texts. Texts are always compared; hashes
// only say where to look.
type Group struct {
	rule     Rule
	length   int
	unit     Unit
	hasher   *fingerprint.Hasher
	contexts []context
	passages []origin
	second   []uint64 // position of the second occurrence of each; KeepNone only
	ids      []uint32 // ids of the passages of the contexts
	byText   table
	byHash   table
	hashes   []uint64
	values   []uint64
	later    []Match // matches of members whose passages are all repeated
	texts    int     // total size of the contexts' texts
	settled  bool
}

// A context is the text of one or more members.
type context struct {
	text    []byte
	value   uint32
	pos     uint64 // position of its first member
	hash    uint64
	first   int // index of its ids in Group.ids
	count   int
	members int
	hashed  bool   // its passages are in byHash
	asked   int    // number of members for which matches were returned
	later   [2]int // its matches in Group.later, once they are known
}

// An origin is the first occurrence of a distinct passage.
type origin struct {
	context uint32
	at      uint32 // the passage's number in the context
	copies  uint32
	seen    uint32
}

// NewGroup returns an empty group, or the error of [Scheme.Check].
func NewGroup(s Scheme, rule Rule) (*Group, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	h, err := s.hasher(s.Length)
	g := &Group{rule: rule, length: s.Length, unit: s.Unit, hasher: h}
	g.Reset()
	return g, err
}

// mostPassages is the largest capacity that Reset keeps.
const mostPassages = 1 << 16

// Reset empties the group.
func (g *Group) Reset() {
	if cap(g.ids) > mostPassages || cap(g.contexts) > mostPassages {
		g.ids, g.passages, g.second, g.contexts, g.later = nil, nil, nil, nil, nil
	}
	g.contexts, g.passages, g.ids, g.second = g.contexts[:0], g.passages[:0], g.ids[:0], g.second[:0]
	g.later = g.later[:0]
	g.byText.reset()
	g.byHash.reset()
	g.texts, g.settled = 0, false
}

// Size returns the approximate memory of the group in bytes, including the texts.
func (g *Group) Size() int {
	return g.texts + 16*cap(g.passages) + 4*cap(g.ids) + 64*cap(g.contexts) + 8*cap(g.second) + 8*(len(g.byText.slots)+len(g.byHash.slots))
}
