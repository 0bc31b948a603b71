//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A room is the place of one case. Inputs are in i, outputs in o, and t is
// $TMPDIR; commands run in the room itself, so that their names are short and
// the same in each.
type room struct {
	*world
	dir    string
	rand   *rand.Rand
	log    []string // the commands, as shell text
	rows   []row    // what was measured
	mounts []string
	runs   int
	broken error // of a rule that holds for every run
}

// A row is a line of one of the page's tables.
type row struct {
	Table string   `json:"table"`
	Cells []string `json:"cells"`
}

func (w *world) newRoom(name string) (*room, error) {
	dir, err := os.MkdirTemp(w.dir, strings.ReplaceAll(name, "/", "-")+"-")
	if err != nil {
		return nil, err
	}
	r := &room{world: w, dir: dir, rand: seeded(w.seed, name)}
	for _, d := range []string{"i", "o", "t"} {
		err = errors.Join(err, os.Mkdir(r.path(d), 0o777))
	}
	return r, err
}

func (r *room) path(name string) string { return filepath.Join(r.dir, name) }

// close unmounts what was mounted and removes the room, unless it is kept.
func (r *room) close(keep bool) {
	for _, m := range r.mounts {
		syscall.Unmount(m, syscall.MNT_DETACH)
	}
	if !keep {
		os.RemoveAll(r.dir)
	}
}

// check returns what broke a rule in any run, and what is left in $TMPDIR.
func (r *room) check() error {
	return errors.Join(r.broken, r.only("t", nil, false))
}

func (r *room) breaks(err error) { r.broken = errors.Join(r.broken, err) }

// note adds a row to a table of the page.
func (r *room) note(table string, cells ...string) {
	r.rows = append(r.rows, row{table, cells})
}

// bring copies inputs into i, where a case may harm them.
func (r *room) bring(names ...string) error {
	var err error
	for _, name := range names {
		from := filepath.Join(r.inputs, name)
		if info, serr := os.Stat(from); serr == nil && info.IsDir() {
			err = errors.Join(err, os.CopyFS(r.path("i/"+name), os.DirFS(from)))
			continue
		}
		data, rerr := os.ReadFile(from)
		err = errors.Join(err, rerr, os.WriteFile(r.path("i/"+name), data, 0o666))
	}
	return err
}

// input returns the bytes of an input.
func (r *room) input(name string) []byte {
	data, err := os.ReadFile(filepath.Join(r.inputs, name))
	if err != nil {
		panic(err) // a case names an input that is not made
	}
	return data
}

func (r *room) write(name string, data []byte) error {
	return os.WriteFile(r.path(name), data, 0o666)
}

// absent begins what read returns of a file that is not there.
const absent = "\x00absent: "

// read returns a file of the room, or that it is absent.
func (r *room) read(name string) string {
	data, err := os.ReadFile(r.path(name))
	if err != nil {
		return absent + errors.Unwrap(err).Error()
	}
	return string(data)
}

// full mounts a tmpfs of so many bytes and inodes over a directory of the room.
func (r *room) full(dir string, bytes, inodes int) error {
	if !r.world.mounts {
		return notTried{"no right to mount a tmpfs", true}
	}
	err := syscall.Mount("none", r.path(dir), "tmpfs", 0, fmt.Sprintf("size=%d,nr_inodes=%d,mode=777", bytes, inodes))
	if err == nil {
		r.mounts = append(r.mounts, r.path(dir))
	}
	return err
}
