package passage

import "doppel/pkg/sample"

// A Member is a run with its text. Where it stands is a number of the
// caller's: its n-th passage stands at Pos+n, members come in ascending order,
// and passages of different texts never have consecutive numbers by accident,
// for no run ends with the last unit of a text.
type Member struct {
	Pos   uint64
	Count int    // passages
	Twice bool   // as the run has it
	Value uint32 // passages of members with different values are not equal
	Text  []byte // as [Units.Text] gives it; kept until Reset
}

// A Match says that the Count passages from Pos on are repeated: they equal
// those from From on.
type Match struct {
	Pos, From uint64
	Count     int
	Copies    int // how often the rarest of them stands in all
	Period    int // as a [Repeat] has it
}

// A Keep says which copies of a passage stay.
type Keep byte

// What is kept.
const (
	KeepFirst Keep = iota // the first: a passage is repeated if it stood before
	KeepNone              // none: it is repeated if it stands anywhere else
)

// A Rule says when a passage is repeated: under KeepFirst if Copies of it, at
// least one, came before; under KeepNone if it stands more than Copies times.
type Rule struct {
	Keep   Keep
	Copies int
}

// A Group finds the equal passages among the runs of one key. It takes runs in
// two passes: all are added, then each is asked for its matches. It is not
// safe for concurrent use.
//
// A run whose whole text was added before is known by one hash and one
// comparison. In another one each passage is searched by its hash, and
// compared; one that follows an equal pair in both texts is compared by its
// last unit. So it is linear in the text of the members, and in memory of
// their distinct texts: about 40 B a passage of those. What is said to be
// equal was compared; hashes only say where to look.
type Group struct {
	rule     Rule
	length   int
	unit     Unit
	hasher   *sample.Hasher
	contexts []context
	passages []origin
	second   []uint64 // where each stands for the second time; KeepNone only
	ids      []uint32 // of the passages of the contexts
	byText   table
	byHash   table
	hashes   []uint64
	values   []uint64
	later    []Match // of contexts, for members all of whose passages are repeated
	texts    int     // bytes
	settled  bool
}

// A context is the text of one or more members.
type context struct {
	text    []byte
	value   uint32
	pos     uint64 // of the first of them
	hash    uint64
	first   int // of its ids
	count   int
	members int
	hashed  bool   // its passages are in byHash
	asked   int    // members that were asked for
	later   [2]int // its matches in Group.later, once they are known
}

// An origin is where a distinct passage stood first.
type origin struct {
	context uint32
	at      uint32 // in it
	copies  uint32
	seen    uint32
}

// NewGroup returns an empty group, or what [Scheme.Check] has against s.
func NewGroup(s Scheme, rule Rule) (*Group, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	h, err := s.hasher(s.Length)
	g := &Group{rule: rule, length: s.Length, unit: s.Unit, hasher: h}
	g.Reset()
	return g, err
}

// mostPassages is how much of the slices is kept from one group to the next.
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

// Size is about how many bytes the group holds, the texts included.
func (g *Group) Size() int {
	return g.texts + 16*cap(g.passages) + 4*cap(g.ids) + 64*cap(g.contexts) + 8*cap(g.second) + 8*(len(g.byText.slots)+len(g.byHash.slots))
}
