package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A picker chooses files below a directory.
type picker struct {
	dir     string
	entries []os.DirEntry // directories first, hidden ones left out
	at      int           // 0 is the directory above, then the entries
	chosen  []string
}

func newPicker(dir string) (*picker, error) {
	p := &picker{}
	return p, p.open(dir)
}

// open goes to a directory.
func (p *picker) open(dir string) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	slices.SortStableFunc(all, func(a, b os.DirEntry) int { return rank(a) - rank(b) })
	p.dir, p.entries, p.at = dir, all, min(1, len(all))
	return nil
}

// rank is 0 for directories, which come first.
func rank(e os.DirEntry) int {
	if e.IsDir() {
		return 0
	}
	return 1
}

// move moves the cursor.
func (p *picker) move(by int) { p.at = max(0, min(p.at+by, len(p.entries))) }

// enter opens the directory at the cursor; of a file it says the name.
func (p *picker) enter() (file string, err error) {
	if p.at == 0 {
		return "", p.open(filepath.Join(p.dir, ".."))
	}
	one := p.entries[p.at-1]
	name := filepath.Join(p.dir, one.Name())
	if isDir(name) {
		return "", p.open(name)
	}
	return name, nil
}

// toggle chooses the file or the directory at the cursor, or no more.
func (p *picker) toggle() {
	if p.at == 0 {
		return
	}
	name := filepath.Join(p.dir, p.entries[p.at-1].Name())
	if n := slices.Index(p.chosen, name); n >= 0 {
		p.chosen = slices.Delete(p.chosen, n, n+1)
	} else {
		p.chosen = append(p.chosen, name)
	}
}

// isDir reports whether a name is that of a directory.
func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// label names an entry, as a row of the screen.
func (p *picker) label(i int) string {
	if i == 0 {
		return "    ../"
	}
	one := p.entries[i-1]
	name, mark := one.Name(), "[ ] "
	if slices.Contains(p.chosen, filepath.Join(p.dir, name)) {
		mark = "[x] "
	}
	if one.IsDir() {
		name += "/"
	}
	return mark + name
}
