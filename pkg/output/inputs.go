package output

import (
	"fmt"
	"os"
	"syscall"

	"doppel/pkg/files"
	"doppel/pkg/msg"
)

// CheckName returns an error if the named file is one of the inputs, under any name.
func CheckName(name string, inputs ...string) error { return identify(inputs).check(name, "") }

// identities maps each input file to the names under which it is read.
type identities map[identity][]string

// identify looks up the named files. Names of missing files are left out.
func identify(names []string) identities {
	all := identities{}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			id := identityOf(info)
			all[id] = append(all[id], name)
		}
	}
	return all
}

// check returns an error if the file is an input. It makes an exception for the input named by the
// second argument, which the output may replace.
func (all identities) check(name, replaced string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	read, ok := all.otherName(info, replaced)
	switch {
	case !ok:
		return nil
	case read == name:
		err = fmt.Errorf("%s: input file is output file", name)
	default:
		err = fmt.Errorf("%s: input file is output file, under the name %s", name, read)
	}
	return msg.WithHint(err, "write to another file")
}

// otherName returns the first name, other than the given one, under which the file is an input.
func (all identities) otherName(info os.FileInfo, but string) (string, bool) {
	for _, name := range all[identityOf(info)] {
		if name != but {
			return name, true
		}
	}
	return "", false
}

// An identity is the device and the inode of a file.
type identity [2]uint64

func identityOf(info os.FileInfo) identity {
	st := info.Sys().(*syscall.Stat_t)
	return identity{uint64(st.Dev), st.Ino}
}

// Written is the set of the files that a run replaces or appends to, and that exist already. A tool
// that reads whole files uses it to find an output among them, since it must not replace a file by a
// list of files.
type Written map[[2]uint64]string

// Check returns an error if a file, which is given by its device and inode, is one of the set.
func (w Written) Check(dev, ino uint64) error {
	name, clash := w[[2]uint64{dev, ino}]
	if !clash {
		return nil
	}
	return overwrites(name)
}

// CheckFile is like Check, for a file that has been opened.
func (w Written) CheckFile(f *files.Info) error { return w.Check(f.Dev, f.Ino) }

// CheckStream is like Check, for a stream. A stream that is not a file is in no set.
func (w Written) CheckStream(stream any) error {
	info, ok := regularInfo(stream)
	if !ok {
		return nil
	}
	id := identityOf(info)
	return w.Check(id[0], id[1])
}

// CheckNames is like Check, for named files. A file that does not exist is in no set.
func (w Written) CheckNames(names []string) error {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			id := identityOf(info)
			if err := w.Check(id[0], id[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// overwrites is the name of an output that is also an input, as an error.
type overwrites string

func (name overwrites) Error() string { return string(name) + ": input file is output file" }

// EndsRun marks an error that ends the run, with -k too.
func (overwrites) EndsRun() {}

// Hint returns the text of the hint.
func (overwrites) Hint() string { return "write to another file, or leave this one out of the inputs" }

// regularInfo returns the FileInfo of a stream, and reports whether the stream is a regular file.
func regularInfo(stream any) (os.FileInfo, bool) {
	f, ok := stream.(*os.File)
	if !ok {
		return nil, false
	}
	info, err := f.Stat()
	return info, err == nil && info.Mode().IsRegular()
}
