package judgement

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"doppel/pkg/files/durable"
)

// A Journal stores the judgements of a Ledger in a file. A new judgement is appended. When a
// judgement is undone or changed, a new file replaces the old one. Each change is synced to disk
// before the call returns, so it survives a crash. The file is locked, because two processes that
// changed it at the same time would overwrite each other's judgements.
type Journal struct {
	file *os.File
	name string // name of the file itself, with links resolved
	size int64  // size of the file in bytes
}

// OpenJournal opens or creates the file and returns its ledger. If a killed process left an
// incomplete judgement at the end, OpenJournal removes it; torn is the size of this judgement in
// bytes. It adds a missing LF to a complete last line. If the file contains anything but
// judgements, or is open in another process, OpenJournal returns an error and does not change the
// file.
func OpenJournal(name string) (j *Journal, l *Ledger, torn int, err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	target, err := filepath.EvalSymlinks(name)
	if err == nil {
		err = lock(f)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	text, err := os.ReadFile(target)
	if err != nil {
		return nil, nil, 0, err
	}
	l, whole, err := ParseJudgements(text)
	if err != nil {
		return nil, nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	j = &Journal{file: f, name: target, size: int64(whole)}
	torn = len(text) - whole
	switch {
	case len(text) == 0: // the file may be new, so its name is synced to disk
		err = durable.SyncDir(filepath.Dir(target))
	case torn > 0:
		err = f.Truncate(j.size)
	case whole > 0 && text[whole-1] != '\n':
		err = j.write([]byte("\n"))
	}
	return j, l, torn, err
}

// lock locks a file. It returns an error if another process has locked the file, or has replaced it
// since it was opened. On a file system without locks, the file is not locked.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	named, serr := os.Stat(f.Name())
	own, oerr := f.Stat()
	switch {
	case serr != nil || oerr != nil:
		return errors.Join(serr, oerr)
	case errors.Is(err, unix.EWOULDBLOCK) || !os.SameFile(named, own):
		return fmt.Errorf("%s: another process is writing to the file", f.Name())
	}
	return nil
}

// Append appends the last judgement of a ledger to the file.
func (j *Journal) Append(l *Ledger) error {
	return j.write(l.all[len(l.all)-1].Append(nil))
}

func (j *Journal) write(text []byte) error {
	if _, err := j.file.WriteAt(text, j.size); err != nil {
		return err
	}
	j.size += int64(len(text))
	return durable.Sync(j.file)
}

// Rewrite replaces the file with a new one that has all judgements of a ledger.
func (j *Journal) Rewrite(l *Ledger) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	text := l.Lines()
	f, err := durable.Replace(filepath.Join(filepath.Dir(j.name), ".*."+filepath.Base(j.name)), j.name, func(f *os.File) error {
		unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) // fails only on a file system without locks
		_, err := f.Write(text)
		return cmp.Or(err, f.Chmod(info.Mode().Perm()))
	}, nil)
	if f == nil {
		return err
	}
	old := j.file
	j.file, j.size = f, int64(len(text))
	return cmp.Or(old.Close(), err)
}

// Close closes the file, which also unlocks it.
func (j *Journal) Close() error { return j.file.Close() }

// Lines returns all judgements in the format of a journal file.
func (l *Ledger) Lines() (text []byte) {
	for _, one := range l.all {
		text = one.Append(text)
	}
	return text
}
