//go:build linux

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A disk models the states in which a power cut may leave the files below a directory, after
// each replayed call. It assumes only the weakest guarantees that file systems give:
//
//   - The content of a file is on disk once the file was synced after its last change. Before
//     that, the file may have any content, or none.
//   - A name refers to its new file on disk once the directory was synced after the last change
//     of the name. Before that, the name may refer to the old file or to any later one,
//     independently of other names.
//
// Because names are independent, a disk checks each name by itself instead of building complete
// states.
type disk struct {
	root   string
	cwd    string            // working directory of the run
	moved  map[string]string // working directories of the threads that changed theirs
	top    *node
	loose  map[string]*node // files without a directory entry, by the name that strace prints
	opened map[string]*node // files opened with O_TMPFILE, by descriptor, such as 5</tmp/#9>(deleted)
	wanted []string         // names of the outputs
	absent map[string]bool  // outputs that did not exist before the run
	seen   map[claim]int    // line of the trace at which each claim was first possible
}

// A node is a file or a directory.
type node struct {
	dir     bool
	old     bool               // existed before the run
	kids    map[string]*node   // entries of a directory, by name
	may     map[string][]*node // for names changed since the last sync, the nodes they may refer to after a power cut; nil means no file
	changed int                // line of the trace at which the node was last changed; 0 if never
	synced  int                // line of the trace at which the last sync began
}

// A claim says that, after a power cut, a name may refer to a file whose last sync began at the
// given line of the trace.
type claim struct {
	name   string
	file   *node
	synced int
}

// newDisk returns a disk that contains the files that are now below root.
func newDisk(root string) (*disk, error) {
	d := &disk{root: root, cwd: root, moved: map[string]string{}, top: newDirectory(), loose: map[string]*node{}, opened: map[string]*node{}, absent: map[string]bool{}, seen: map[claim]int{}}
	d.top.old = true
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == root {
			return err
		}
		parent, base := d.parent(name)
		n := &node{old: true}
		if entry.IsDir() {
			n = newDirectory()
			n.old = true
		}
		parent.kids[base] = n
		return nil
	})
	return d, err
}

func newDirectory() *node {
	return &node{dir: true, kids: map[string]*node{}, may: map[string][]*node{}}
}

// want adds the names of outputs that replay checks. It must be called before replay.
func (d *disk) want(names ...string) {
	for _, name := range names {
		d.wanted = append(d.wanted, name)
		d.absent[name] = d.find(filepath.Join(d.root, name)) == nil
	}
}

// parent returns the directory of a path and the last element of the path. The directory is nil
// if it does not exist or is not below the root.
func (d *disk) parent(path string) (*node, string) {
	dir := d.find(filepath.Dir(path))
	if dir == nil || !dir.dir {
		return nil, ""
	}
	return dir, filepath.Base(path)
}

// find returns the node that a path refers to now, or nil.
func (d *disk) find(path string) *node {
	rel, err := filepath.Rel(d.root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return nil
	}
	n := d.top
	for _, part := range strings.Split(rel, "/") {
		if part == "." {
			continue
		}
		if n == nil || !n.dir {
			return nil
		}
		n = n.kids[part]
	}
	return n
}

// open returns the node of an open file, given the result of fileOf. If the file has no name and
// is new, open creates a node for it.
func (d *disk) open(name string, line int) *node {
	if !strings.HasSuffix(name, deleted) {
		return d.find(name)
	}
	if d.loose[name] == nil {
		d.loose[name] = &node{changed: line}
	}
	return d.loose[name]
}

// bind makes a path refer to n. If n is nil, bind removes the path.
func (d *disk) bind(path string, n *node) {
	dir, name := d.parent(path)
	if dir == nil {
		return
	}
	if dir.may[name] == nil {
		dir.may[name] = []*node{dir.kids[name]}
	}
	dir.may[name] = append(dir.may[name], n)
	if dir.kids[name] = n; n == nil {
		delete(dir.kids, name)
	}
}

func (n *node) sync(began int) {
	n.synced = began
	if n.dir {
		clear(n.may)
	}
}

// replayCall applies the effect of a call to the disk. It returns an error if the call links an
// unknown file.
func (d *disk) replayCall(c call) error {
	paths := c.paths(cmp.Or(d.moved[c.thread], d.cwd))
	switch c.name {
	case "open", "openat", "creat":
		d.doOpen(c, paths)
	case "close":
		delete(d.opened, c.args[0])
	case "write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "fallocate":
		d.change(c, c.args[0])
	case "copy_file_range", "splice":
		d.change(c, c.args[2])
	case "sendfile":
		d.change(c, c.args[0])
	case "chdir":
		d.moved[c.thread] = paths[0]
	case "fchdir":
		d.moved[c.thread] = fileOf(c.args[0])
	case "truncate":
		if n := d.find(paths[0]); n != nil {
			n.changed = c.end
		}
	case "fsync", "fdatasync":
		if n := d.open(fileOf(c.args[0]), c.end); n != nil {
			n.sync(c.began)
		}
	case "sync", "syncfs":
		d.syncAll(d.top, c.began)
	case "rename", "renameat", "renameat2":
		from, to := d.find(paths[0]), d.find(paths[1])
		if !c.has("RENAME_EXCHANGE") {
			to = nil
		}
		d.bind(paths[1], from)
		d.bind(paths[0], to)
	case "link", "linkat":
		n := d.find(paths[0])
		if fd, found := strings.CutPrefix(paths[0], "/proc/self/fd/"); found {
			n = nil
			for opened, file := range d.opened { // linkat names an open file by its descriptor
				if strings.HasPrefix(opened, fd+"<") {
					n = file
				}
			}
		}
		if n == nil && d.find(filepath.Dir(paths[1])) != nil {
			return fmt.Errorf("line %d of the trace: the file %s does not exist", c.end, paths[0])
		}
		d.bind(paths[1], n)
	case "unlink", "unlinkat", "rmdir":
		d.bind(paths[0], nil)
	case "mkdir", "mkdirat":
		d.bind(paths[0], newDirectory())
	}
	return nil
}

func (d *disk) doOpen(c call, paths []string) {
	result := c.args[len(c.args)-1]
	if c.has("O_TMPFILE") {
		delete(d.loose, fileOf(result)) // an earlier file may have had the same inode number
		d.opened[result] = d.open(fileOf(result), c.end)
		return
	}
	if n := d.find(paths[0]); n == nil && (c.has("O_CREAT") || c.name == "creat") {
		d.bind(paths[0], &node{changed: c.end})
	} else if n != nil && (c.has("O_TRUNC") || c.name == "creat") {
		n.changed = c.end
	}
}

// change marks the file in an argument such as 5</tmp/x> as changed by a call.
func (d *disk) change(c call, arg string) {
	if name := fileOf(arg); name != "" {
		if n := d.open(name, c.end); n != nil {
			n.changed = c.end
		}
	}
}

func (d *disk) syncAll(n *node, began int) {
	n.sync(began)
	for _, kid := range n.kids {
		d.syncAll(kid, began)
	}
}

// nodesNamed returns the nodes that a name in the directory n may refer to after a power cut; a nil
// node means that the path may name no file.
func (n *node) nodesNamed(name string) []*node {
	if may := n.may[name]; may != nil {
		return may
	}
	return []*node{n.kids[name]}
}

// mayBeAt returns the nodes that a path may refer to after a power cut; nil means no file.
func (d *disk) mayBeAt(path string) []*node {
	all := []*node{d.top}
	for _, part := range strings.Split(filepath.Clean(path), "/") {
		var next []*node
		for _, n := range all {
			if n == nil || !n.dir {
				next = append(next, nil)
			} else {
				next = append(next, n.nodesNamed(part)...)
			}
		}
		all = next
	}
	return all
}

// recordStates records the states in which a power cut at this line of the trace may leave the
// outputs. For an output that is a new directory, it also records the states of its entries.
func (d *disk) recordStates(line int) {
	for _, name := range d.wanted {
		for _, n := range d.mayBeAt(name) {
			d.recordState(name, n, line)
		}
	}
}

func (d *disk) recordState(name string, n *node, line int) {
	c := claim{name: name, file: n}
	if n != nil {
		c.synced = n.synced
	}
	if _, known := d.seen[c]; !known {
		d.seen[c] = line
	}
	if n != nil && n.dir && !n.old {
		names := slices.Collect(maps.Keys(n.kids))
		names = slices.AppendSeq(names, maps.Keys(n.may))
		for _, kid := range names {
			for _, k := range n.nodesNamed(kid) {
				d.recordState(name+"/"+kid, k, line)
			}
		}
	}
}

// replay replays calls, with a power cut after each. It returns an error for each output that,
// after one of these power cuts, may be neither unchanged nor complete. If the run went well, a
// power cut after it must leave the new outputs.
func (d *disk) replay(calls []call, well bool) error {
	slices.SortStableFunc(calls, func(a, b call) int { return cmp.Compare(a.effect(), b.effect()) })
	d.recordStates(0)
	for _, c := range calls {
		if err := d.replayCall(c); err != nil {
			return err
		}
		if !strings.Contains(c.name, "write") { // a write changes no name and syncs nothing
			d.recordStates(c.end)
		}
	}
	var errs []error
	for c, line := range d.seen {
		switch {
		case c.file == nil && !d.absent[c.name]:
			left := "its directory without it"
			if slices.Contains(d.wanted, c.name) {
				left = "no file"
			}
			errs = append(errs, fmt.Errorf("%s: a power cut at line %d of the trace may leave %s", c.name, line, left))
		case c.file == nil || c.file.dir:
		case c.file.old && c.file.changed > 0:
			errs = append(errs, fmt.Errorf("%s: changed in place, at line %d of the trace", c.name, c.file.changed))
		case !c.file.old && (c.synced <= c.file.changed):
			errs = append(errs, fmt.Errorf("%s: a power cut at line %d of the trace may leave it without its content", c.name, line))
		}
	}
	if well {
		for _, name := range d.wanted {
			left := d.mayBeAt(name)
			if len(left) != 1 || left[0] == nil || left[0].old {
				errs = append(errs, fmt.Errorf("%s: a power cut after the run may undo it", name))
			}
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// effect returns the line at which a call takes effect: a rename may reach the disk as soon
// as it begins, other calls when they end.
func (c call) effect() int {
	if strings.HasPrefix(c.name, "rename") {
		return c.began
	}
	return c.end
}
