package filegroup

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"strings"
)

// A Keep says which file of a group stays. It is a pflag.Value.
type Keep string

// The files that may stay; where several have a claim, it is the one that was
// named first.
const (
	First    Keep = "first"
	Newest   Keep = "newest" // by mtime
	Oldest   Keep = "oldest"
	Shortest Keep = "shortest-path" // whose name has the fewest bytes
)

// Set sets the word.
func (k *Keep) Set(s string) error {
	if w := Keep(s); w != First && w != Newest && w != Oldest && w != Shortest {
		return fmt.Errorf("want first, newest, oldest or shortest-path, not %q", s)
	}
	*k = Keep(s)
	return nil
}

func (k *Keep) String() string { return string(*k) }

// Type names the value in help.
func (k *Keep) Type() string { return "WHICH" }

// Aside is how the name begins under which a file waits that is about to be
// replaced or removed. Such a file, left behind by a process that was killed, is
// never the one that stays.
const Aside = ".doppel-"

// Beside returns such a name in the directory of a file, which nothing has. The
// directory is not cleaned: link/../x is not x.
func Beside(name string) string {
	return name[:strings.LastIndexByte(name, '/')+1] + Aside + rand.Text()
}

// Choose puts the file that stays in front, and returns the copies of it: all but
// that one and the spared ones.
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

// better reports whether a has a better claim to stay than b, which was named
// before.
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

// IsAside reports whether a file has such a name.
func IsAside(name []byte) bool {
	return bytes.HasPrefix(name[bytes.LastIndexByte(name, '/')+1:], []byte(Aside))
}
