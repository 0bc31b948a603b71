//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// A world contains what all cases share: the tools, the inputs, and the directory for sandboxes.
type world struct {
	options
	bin    string // directory of the tools
	dir    string // directory of the inputs and the sandboxes
	inputs string // directory of the inputs: created once, never changed

	references sync.Map // results of undisturbed runs, by name
}

func newWorld(o options) (*world, error) {
	bin, err := filepath.Abs(o.bin)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(bin, "doppel")); err != nil {
		return nil, fmt.Errorf("%s: no tools: build them with make, or name them with -bin", o.bin)
	}
	dir, err := os.MkdirTemp("", "doppel-fault-")
	if err != nil {
		return nil, err
	}
	w := &world{options: o, bin: bin, dir: dir, inputs: filepath.Join(dir, "inputs")}
	if err := w.makeInputs(); err != nil {
		return nil, fmt.Errorf("making inputs: %w", errors.Join(err, os.RemoveAll(dir)))
	}
	return w, nil
}

// close removes everything except the kept sandboxes of failures.
func (w *world) close() {
	os.RemoveAll(w.inputs)
	if !w.keep {
		os.RemoveAll(w.dir)
	}
}

// A sandbox is the directory of one case. Inputs are in i, outputs in o, and t is $TMPDIR.
// Commands run in the sandbox itself, so file names are short and the same in every case.
type sandbox struct {
	*world
	dir    string
	rand   *rand.Rand
	log    []string // commands run so far, as shell text
	mounts []string
	broken error // errors in newSandbox, and rules that runs broke
}

func (w *world) newSandbox(name string) *sandbox {
	s := &sandbox{world: w, rand: seeded(w.seed, name)}
	s.dir, s.broken = os.MkdirTemp(w.dir, strings.ReplaceAll(name, "/", "-")+"-")
	for _, d := range []string{"i", "o", "t"} {
		s.broken = errors.Join(s.broken, os.Mkdir(s.path(d), 0o777))
	}
	return s
}

// close removes the sandbox's mounts and, unless keep is set, its directory.
func (s *sandbox) close(keep bool) {
	for _, m := range s.mounts {
		syscall.Unmount(m, syscall.MNT_DETACH)
	}
	if !keep {
		os.RemoveAll(s.dir)
	}
}

// aborted is the panic value that ends a case at once.
type aborted struct{ error }

// must aborts the case with the error err unless err is nil. It is used for errors after which the
// case cannot continue.
func (s *sandbox) must(err error) {
	if err != nil {
		panic(aborted{err})
	}
}

// attempt runs a case and returns its error, joined with errors for the rules that its commands
// broke and for files left in $TMPDIR.
func (s *sandbox) attempt(run func(*sandbox) error) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case aborted:
			err = errors.Join(v.error, s.broken)
		default:
			panic(v)
		}
	}()
	s.must(s.broken)
	return errors.Join(run(s), s.broken, s.leftovers("t", nil, false))
}

func (s *sandbox) path(name string) string { return filepath.Join(s.dir, name) }

// copyInputs copies inputs into the directory i, where a case may damage them.
func (s *sandbox) copyInputs(names ...string) {
	for _, name := range names {
		from := filepath.Join(s.inputs, name)
		if info, err := os.Stat(from); err == nil && info.IsDir() {
			s.must(errors.Join(os.RemoveAll(s.path("i/"+name)), os.CopyFS(s.path("i/"+name), os.DirFS(from))))
			continue
		}
		s.write("i/"+name, s.input(name))
	}
}

// input returns the original content of an input, even if the case has changed its copy.
func (s *sandbox) input(name string) []byte {
	data, err := os.ReadFile(filepath.Join(s.inputs, name))
	s.must(err)
	return data
}

func (s *sandbox) write(name string, data []byte) {
	s.must(os.WriteFile(s.path(name), data, 0o666))
}

// absent is the prefix of the text that read returns for a missing file.
const absent = "\x00absent: "

// read returns the content of a file of the sandbox. If the file cannot be read, it returns the
// constant absent followed by the error.
func (s *sandbox) read(name string) string {
	data, err := os.ReadFile(s.path(name))
	if err != nil {
		return absent + errors.Unwrap(err).Error()
	}
	return string(data)
}

func (s *sandbox) has(name string) bool { return !strings.HasPrefix(s.read(name), absent) }

// eachFile calls fn with the name and the content of each file below a directory of the sandbox.
func (s *sandbox) eachFile(dir string, fn func(name, data string)) {
	s.must(filepath.WalkDir(s.path(dir), func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		fn(strings.TrimPrefix(name, s.dir), string(data))
		return err
	}))
}

// temporary matches the name of a file being written: a number between dots, then the name
// of the output.
var temporary = regexp.MustCompile(`^\.\d+\..+$`)

// leftovers returns an error if a directory contains anything except the named files and, if
// temporaryToo is set, temporary files.
func (s *sandbox) leftovers(dir string, files []string, temporaryToo bool) error {
	entries, err := os.ReadDir(s.path(dir))
	for _, e := range entries {
		name := e.Name()
		if !slices.Contains(files, name) && !(temporaryToo && temporary.MatchString(name)) {
			return fmt.Errorf("%s: unexpected file left after the run: %q", dir, name)
		}
	}
	return err
}

// limitDisk mounts a tmpfs with this many bytes and inodes over a directory of the sandbox.
func (s *sandbox) limitDisk(dir string, bytes, inodes int) {
	err := error(syscall.EPERM)
	if os.Getenv(inNamespace) != "" {
		err = syscall.Mount("none", s.path(dir), "tmpfs", 0, fmt.Sprintf("size=%d,nr_inodes=%d,mode=777", bytes, inodes))
	}
	if errors.Is(err, syscall.EPERM) {
		err = notTried{"no permission to mount a tmpfs", true}
	}
	s.must(err)
	s.mounts = append(s.mounts, s.path(dir))
}
