package jsonscan

import (
	"fmt"
	"slices"

	"doppel/pkg/record/fieldpath"
)

// A Tree holds the paths to the wanted values. A node of it is one step of a path, and paths that
// begin with the same steps share nodes.
type Tree struct {
	step    fieldpath.Step
	slot    int     // slot of the wanted value; -1 if no path ends here
	inArray bool    // the path to this node leads into an array
	kids    []*Tree // nodes for the members of this value
	elems   []*Tree // nodes for the elements of this value

	kidSlots, elemSlots []int // slots of the paths that continue in kids, and of those that continue in elems
}

// NewTree returns a tree without paths. A scan with it only checks a line.
func NewTree() *Tree { return &Tree{slot: -1} }

// Add adds the missing nodes for a path. It returns an error if the path has a slot already.
func (n *Tree) Add(path string, slot int) error {
	for _, step := range fieldpath.Parse(path) {
		nodes, slots := &n.kids, &n.kidSlots
		if step.Array {
			nodes, slots = &n.elems, &n.elemSlots
		}
		*slots = append(*slots, slot)
		i := slices.IndexFunc(*nodes, func(known *Tree) bool { return known.step == step })
		if i < 0 {
			i = len(*nodes)
			*nodes = append(*nodes, &Tree{step: step, slot: -1, inArray: n.inArray || step.Array})
		}
		n = (*nodes)[i]
	}
	if n.slot >= 0 {
		return fmt.Errorf("field %q: named twice", path)
	}
	n.slot = slot
	return nil
}

func (n *Tree) find(key []byte) *Tree {
	for _, k := range n.kids {
		if k.step.Key == string(key) {
			return k
		}
	}
	return nil
}

// slots yields the slots of this node and of all nodes below it.
func (n *Tree) slots(yield func(slot int) bool) {
	if n.slot >= 0 && !yield(n.slot) {
		return
	}
	for _, below := range [...][]int{n.kidSlots, n.elemSlots} {
		for _, slot := range below {
			if !yield(slot) {
				return
			}
		}
	}
}
