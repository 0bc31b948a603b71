package filegroup

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"strings"
)

// A Keep selects which file of a group is kept. It is a pflag.Value.
type Keep string

// If several files of the group qualify, the first of them is kept.
const (
	First    Keep = "first"
	Newest   Keep = "newest" // the file with the latest mtime
	Oldest   Keep = "oldest"
	Shortest Keep = "shortest-path" // the file with the shortest name, in bytes
)

// Set implements pflag.Value.
func (k *Keep) Set(s string) error {
	if w := Keep(s); w != First && w != Newest && w != Oldest && w != Shortest {
		return fmt.Errorf("invalid choice %q: want first, newest, oldest or shortest-path", s)
	}
	*k = Keep(s)
	return nil
}

func (k *Keep) String() string { return string(*k) }

// Type implements pflag.Value. It returns the placeholder for the value in the help text.
func (k *Keep) Type() string { return "WHICH" }

// Aside is the prefix of the temporary name of a file that is about to be replaced or removed. A
// killed process may leave such a file. Choose keeps such a file only if it is spared or if all
// files of the group have the prefix.
const Aside = ".doppel-"

// Beside returns a random temporary path in a file's directory; its last element has the prefix
// Aside. Beside does not clean the path, because link/../x and x may be different files.
func Beside(name string) string {
	return name[:strings.LastIndexByte(name, '/')+1] + Aside + rand.Text()
}

// Choose moves the kept file to the front of the group and returns its copies: all other
// files except the spared ones.
func (g *Group) Choose(k Keep) (copies []*Member) {
	best := 0
	for i := range g.Members {
		if k.better(&g.Members[i], &g.Members[best]) {
			best = i
		}
	}
	kept := g.Members[best]
	copy(g.Members[1:], g.Members[:best])
	g.Members[0] = kept
	for i := 1; i < len(g.Members); i++ {
		if m := &g.Members[i]; !m.Spared {
			copies = append(copies, m)
		}
	}
	return copies
}

// better reports whether to keep file a instead of file b, which comes earlier in the group.
func (k Keep) better(a, b *Member) bool {
	if a.Spared != b.Spared {
		return a.Spared
	}
	if x, y := IsAside(a.Name), IsAside(b.Name); x != y {
		return y
	}
	age := cmp.Or(cmp.Compare(b.Info.Mtime.Sec, a.Info.Mtime.Sec), cmp.Compare(b.Info.Mtime.Nsec, a.Info.Mtime.Nsec))
	return k == Newest && age < 0 || k == Oldest && age > 0 || k == Shortest && len(a.Name) < len(b.Name)
}

// IsAside reports whether the last element of a path has the prefix Aside.
func IsAside(name []byte) bool {
	return bytes.HasPrefix(name[bytes.LastIndexByte(name, '/')+1:], []byte(Aside))
}
