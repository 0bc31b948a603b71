// Package dirgroup finds the directories that are equal, similar, or contained in one
// another.
//
// A directory is a set of words: the contents of the files in it and below it, whatever
// their names. Contents that no other file has are only counted, so a word is the number
// of a group of equal files. Two directories are compared if a word leads from one to
// the other: the lists of directories by word are walked, but for those that are too
// long, such as that of a licence.
//
// Where two directories are alike, so are directories below them, and those above them
// by what they have of these. Of pairs that lie in each other on both sides one is told:
// that which shares most, of these the one that has the least beside it, of these the
// uppermost.
//
// It is all in memory: some 100 bytes a directory, and 30 for each directory in which,
// or below which, a group has a file.
package dirgroup

import (
	"cmp"
	"slices"
	"strings"
)

// A Tree is directories and what is in them.
type Tree struct {
	roots  map[string]bool
	dirs   map[string]*dir
	groups int32
}

// A dir is a directory: what is in it and below it.
type dir struct {
	path  string
	files int64
	words map[int32]amount
}

// An amount is some files of one content.
type amount struct{ files, bytes int64 }

// New returns the tree below some directories.
func New(roots []string) *Tree {
	t := &Tree{roots: map[string]bool{}, dirs: map[string]*dir{}}
	for _, r := range roots {
		t.roots[trim(r)] = true
	}
	return t
}

func trim(path string) string {
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" {
		return trimmed
	}
	return path
}

// above calls fn with the directories in which a file lies, from its own up to a root.
func (t *Tree) above(name string, fn func(*dir)) {
	for {
		end := strings.LastIndexByte(name, '/')
		if end < 0 {
			return
		}
		if name = name[:end]; name == "" {
			name = "/"
		}
		d := t.dirs[name]
		if d == nil {
			d = &dir{path: name, words: map[int32]amount{}}
			t.dirs[name] = d
		}
		fn(d)
		if t.roots[name] || name == "/" {
			return
		}
	}
}

// File counts a file.
func (t *Tree) File(name string) { t.above(name, func(d *dir) { d.files++ }) }

// Equal says that some files, each of so many bytes, are equal. Each was counted.
func (t *Tree) Equal(names []string, size int64) {
	for _, name := range names {
		t.above(name, func(d *dir) {
			w := d.words[t.groups]
			d.words[t.groups] = amount{w.files + 1, w.bytes + size}
		})
	}
	t.groups++
}

// Options say which pairs are found.
type Options struct {
	Threshold float64 // the share of the files of one, or of either, that the other has
	Files     int64   // directories of fewer are left out
	Common    int     // words that more directories have lead to no pair
}

// A Kind is how two directories are alike.
type Kind string

// The kinds.
const (
	Same    Kind = "equal"   // all files of each are in the other
	Similar Kind = "similar" // the threshold is reached on both sides, and no side is whole
	Within  Kind = "within"  // all files of A are in B, or the threshold is reached by A alone
)

// A Pair is two directories that are alike.
type Pair struct {
	Kind             Kind
	A, B             string
	FilesA, FilesB   int64
	SharedA, SharedB int64 // files of each that have an equal in the other
	Bytes            int64 // of those of A
	other            int64 // of those of B
}

// ShareA returns which part of the files of A is in B.
func (p *Pair) ShareA() float64 { return float64(p.SharedA) / float64(p.FilesA) }

// ShareB returns which part of the files of B is in A.
func (p *Pair) ShareB() float64 { return float64(p.SharedB) / float64(p.FilesB) }

// Pairs returns the pairs, those that share most bytes first, and how many words were
// passed over.
func (t *Tree) Pairs(o Options) (pairs []Pair, common int) {
	having := make([][]*dir, t.groups) // the directories that have a word
	for _, d := range t.dirs {
		if d.files >= o.Files {
			for w := range d.words {
				having[w] = append(having[w], d)
			}
		}
	}
	met := map[[2]*dir]bool{} // neither is in the other
	for _, dirs := range having {
		if len(dirs) > o.Common {
			common++
			continue
		}
		for i, a := range dirs {
			for _, b := range dirs[:i] {
				switch {
				case related(a.path, b.path):
				case a.path < b.path:
					met[[2]*dir{a, b}] = true
				default:
					met[[2]*dir{b, a}] = true
				}
			}
		}
	}
	var all []Pair
	for m := range met {
		if p, ok := pairOf(m[0], m[1], o.Threshold); ok {
			all = append(all, p)
		}
	}
	// Of pairs that cover each other the first stays.
	slices.SortFunc(all, func(p, q Pair) int {
		return cmp.Or(
			cmp.Compare(q.SharedA+q.SharedB, p.SharedA+p.SharedB),
			cmp.Compare(p.FilesA+p.FilesB, q.FilesA+q.FilesB),
			cmp.Compare(len(p.A)+len(p.B), len(q.A)+len(q.B)),
			cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B),
		)
	})
	for i := range all {
		if !slices.ContainsFunc(pairs, func(p Pair) bool { return p.covers(&all[i]) }) {
			pairs = append(pairs, all[i])
		}
	}
	slices.SortStableFunc(pairs, func(p, q Pair) int {
		return cmp.Or(cmp.Compare(q.Bytes, p.Bytes), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	})
	return pairs, common
}

// related reports whether one of two directories lies in the other.
func related(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	rest, ok := strings.CutPrefix(a, b)
	return ok && (rest == "" || rest[0] == '/' || b == "/")
}

// pairOf returns what two directories share, the contained one first, if they are alike.
func pairOf(a, b *dir, threshold float64) (p Pair, ok bool) {
	p = Pair{A: a.path, B: b.path, FilesA: a.files, FilesB: b.files}
	for w, x := range a.words {
		if y, ok := b.words[w]; ok {
			p.SharedA, p.SharedB, p.Bytes, p.other = p.SharedA+x.files, p.SharedB+y.files, p.Bytes+x.bytes, p.other+y.bytes
		}
	}
	inB, inA := p.ShareA(), p.ShareB()
	switch {
	case inB == 1 && inA == 1:
		p.Kind = Same
	case inB >= threshold && inA >= threshold && inB < 1 && inA < 1:
		p.Kind = Similar
	case inB >= threshold || inA >= threshold:
		p.Kind = Within
		if inA > inB {
			p = Pair{p.Kind, p.B, p.A, p.FilesB, p.FilesA, p.SharedB, p.SharedA, p.other, p.Bytes}
		}
	default:
		return p, false
	}
	return p, true
}

// covers reports whether two pairs lie in each other, on both sides.
func (p *Pair) covers(q *Pair) bool {
	return related(p.A, q.A) && related(p.B, q.B) || related(p.A, q.B) && related(p.B, q.A)
}
