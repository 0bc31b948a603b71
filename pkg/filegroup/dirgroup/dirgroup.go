// Package dirgroup finds the directories that are equal, similar, or contained in one
// another.
//
// A directory is described by the content of all files below it, whatever their names. Each group
// of files with the same content has a number, called a word; files in no group are only counted.
// Two directories are compared if they share a word. A word found in too many directories, such as
// the word of a licence file, does not cause a comparison. Empty files and symbolic links have words
// too, which cause no comparison.
//
// Directories are equal only if they also have the same names for everything in them. For this, each
// directory has a sum of hashes of the names below it, for each class of entries. The hashes have
// random keys, so nobody can make unequal directories that count as equal.
//
// If two directories are alike, some of their subdirectories usually are too, and their parents
// share at least those files. Such pairs overlap: each directory of one pair equals, contains,
// or is contained in a different directory of the other pair. Only one of two overlapping pairs is
// reported: the pair with more shared files; if these numbers are equal, the pair with fewer files;
// and if these are equal too, the pair with the shorter paths.
//
// Everything is kept in memory. Each directory takes about 100 bytes. A group of equal files takes
// about 30 bytes for each directory that has one of these files somewhere below it.
package dirgroup

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Tree is a set of directories and the files below them. File, Link and Entry may be called by
// several goroutines concurrently.
type Tree struct {
	mu     sync.Mutex
	roots  map[string]bool
	dirs   map[string]*dir
	groups int32
	links  map[string]int32 // words of the targets of links, less than emptyWord
	seeds  [2]maphash.Seed
}

// emptyWord is the word of all empty files.
const emptyWord = -1

// A Class is a class of entries in which two directories can differ.
type Class int

// The classes, in the order of [Pair.Differs].
const (
	Files       Class = iota // content of files
	Names                    // names of files with the same content
	Empty                    // empty files
	Links                    // symbolic links
	Special                  // FIFOs, sockets and devices, which differ from all others
	Directories              // names of directories
	Uncompared               // files left out because of their size
	Unread                   // what could not be read
	classes
)

func (c Class) String() string {
	return [...]string{"files", "names", "empty", "links", "special", "directories", "uncompared", "unread"}[c]
}

// A dir counts the files below a directory, in total and per word.
type dir struct {
	path    string
	files   int64 // files and links of all kinds, except those in the classes Uncompared and Unread
	words   map[int32]amount
	entries [classes]entries
}

// entries is a sum over the names of the entries of a class, whatever their order.
type entries struct {
	count int64
	sum   [2]uint64
}

// An amount is the number and total size of files with the same content.
type amount struct{ files, bytes int64 }

// New returns an empty tree. Directories above the given roots are not part of it.
func New(roots []string) *Tree {
	t := &Tree{roots: map[string]bool{}, dirs: map[string]*dir{}, links: map[string]int32{}, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
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

// eachParent calls fn for each directory above a file, from the directory that contains the file up
// to a root.
func (t *Tree) eachParent(name string, fn func(*dir)) {
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

// Top returns the roots that are not below others, without repetitions.
func Top(roots []string) (top []string) {
	for i, r := range roots {
		above := func(j int) bool {
			return trim(roots[j]) == trim(r) && j < i || trim(roots[j]) != trim(r) && len(trim(roots[j])) < len(trim(r)) && related(trim(roots[j]), trim(r))
		}
		covered := false
		for j := range roots {
			covered = covered || above(j)
		}
		if !covered {
			top = append(top, r)
		}
	}
	return top
}

// File counts a file in each directory above it, up to a root.
func (t *Tree) File(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.eachParent(name, func(d *dir) { d.files++ })
}

// Link counts a symbolic link that was not followed.
func (t *Tree) Link(name, target string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	word, ok := t.links[target]
	if !ok {
		word = emptyWord - 1 - int32(len(t.links))
		t.links[target] = word
	}
	t.count(Links, name, word)
}

// Entry counts an entry of a class other than Files, Names and Links.
func (t *Tree) Entry(c Class, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count(c, name, emptyWord)
}

// count adds an entry with a name and a word to each directory above it.
func (t *Tree) count(c Class, name string, word int32) {
	t.eachParent(name, func(d *dir) {
		t.add(d, c, name, word)
		switch c {
		case Special:
			d.files++
		case Empty, Links:
			d.files++
			d.words[word] = amount{files: d.words[word].files + 1}
		}
	})
}

// add adds a name to the entries of a class. Only the part of the name below the directory counts.
func (t *Tree) add(d *dir, c Class, name string, word int32) {
	e := &d.entries[c]
	e.count++
	entry := strings.TrimPrefix(name[len(d.path):], "/") + "\x00" + strconv.Itoa(int(word))
	for i, seed := range t.seeds {
		e.sum[i] += maphash.String(seed, entry)
	}
}

// Equal adds a group of equal files, each of the given size. The method File must also be called
// for each of these files.
func (t *Tree) Equal(names []string, size int64) {
	for _, name := range names {
		t.eachParent(name, func(d *dir) {
			w := d.words[t.groups]
			d.words[t.groups] = amount{w.files + 1, w.bytes + size}
			t.add(d, Names, name, t.groups)
		})
	}
	t.groups++
}

// Options select the pairs to find.
type Options struct {
	Threshold float64 // a number from 0 to 1; a pair is reported only if ShareA or ShareB reaches it
	Files     int64   // directories with fewer files are left out
	Common    int     // a word found in more directories than this does not cause a comparison
}

// A Kind says how two directories are alike.
type Kind string

// The kinds.
const (
	Same    Kind = "equal"   // the directories have the same entries under the same names
	Similar Kind = "similar" // ShareA and ShareB both reach the threshold, and either both are 1 or none
	Within  Kind = "within"  // only A has all its files in B, or only ShareA reaches the threshold
)

// A Pair is a pair of directories that are alike.
type Pair struct {
	Kind             Kind
	A, B             string
	FilesA, FilesB   int64
	SharedA, SharedB int64 // number of files of each directory that have an equal file in the other
	Bytes            int64 // total size of A's shared files
	Differs          []Class
	other            int64 // total size of B's shared files
}

// ShareA returns the share of A's files that are in B.
func (p *Pair) ShareA() float64 { return float64(p.SharedA) / float64(p.FilesA) }

// ShareB returns the share of B's files that are in A.
func (p *Pair) ShareB() float64 { return float64(p.SharedB) / float64(p.FilesB) }

// Pairs returns the pairs, sorted by shared bytes in descending order, and the number of words
// ignored because of Options.Common.
func (t *Tree) Pairs(o Options) (pairs []Pair, common int) {
	having := make([][]*dir, t.groups) // for each word, the directories that have it
	for _, d := range t.dirs {
		if d.files >= o.Files {
			for w := range d.words {
				if w < 0 {
					continue // empty files and links
				}
				having[w] = append(having[w], d)
			}
		}
	}
	met := map[[2]*dir]bool{} // pairs to compare; neither directory contains the other
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
	// If pairs overlap, only the first in this order is reported.
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

// related reports whether a and b are the same directory, or one is below the other.
func related(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	rest, ok := strings.CutPrefix(a, b)
	return ok && (rest == "" || rest[0] == '/' || b == "/")
}

// pairOf compares two directories. If p.Kind is Within, p.A is the directory within the other. If
// they are not alike, ok is false.
func pairOf(a, b *dir, threshold float64) (p Pair, ok bool) {
	p = Pair{A: a.path, B: b.path, FilesA: a.files, FilesB: b.files}
	for w, x := range a.words {
		if y, ok := b.words[w]; ok {
			p.SharedA, p.SharedB, p.Bytes, p.other = p.SharedA+x.files, p.SharedB+y.files, p.Bytes+x.bytes, p.other+y.bytes
		}
	}
	p.Differs = differences(a, b)
	inB, inA := p.ShareA(), p.ShareB()
	switch {
	case inB == 1 && inA == 1 && len(p.Differs) == 0:
		p.Kind = Same
	case inB >= threshold && inA >= threshold && (inB < 1) == (inA < 1):
		p.Kind = Similar
	case inB >= threshold || inA >= threshold:
		p.Kind = Within
		if inA > inB {
			p = Pair{p.Kind, p.B, p.A, p.FilesB, p.FilesA, p.SharedB, p.SharedA, p.other, p.Differs, p.Bytes}
		}
	default:
		return p, false
	}
	return p, true
}

// differences returns the classes in which two directories differ. What was not read or compared
// may differ, and special files always do.
func differences(a, b *dir) (all []Class) {
	if lacksWord(a, b) || lacksWord(b, a) {
		all = append(all, Files)
	}
	for c := Names; c < classes; c++ {
		x, y := &a.entries[c], &b.entries[c]
		some := x.count+y.count > 0
		if *x != *y && (c != Names || len(all) == 0) || some && (c == Special || c >= Uncompared) {
			all = append(all, c)
		}
	}
	return all
}

// lacksWord reports whether a has a file with content that b lacks.
func lacksWord(a, b *dir) bool {
	known := int64(0)
	for w, x := range a.words {
		if _, ok := b.words[w]; w >= 0 && !ok {
			return true
		}
		known += x.files
	}
	return known+a.entries[Special].count < a.files // a file that is in no group
}

// covers reports whether p and q overlap: whether each directory of p equals, contains, or is
// contained in a different directory of q.
func (p *Pair) covers(q *Pair) bool {
	return related(p.A, q.A) && related(p.B, q.B) || related(p.A, q.B) && related(p.B, q.A)
}
