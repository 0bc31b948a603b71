package reclaim

import (
	"fmt"
	"maps"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
)

// Linkable returns nil if the copy may be replaced by a hard link to the kept file, and otherwise
// the reason for leaving the copy alone. It does not compare the bytes of the files.
func Linkable(kept, copied *filegroup.Member) error {
	return withBoth(kept, copied, linkable)
}

// Shareable returns nil if the copy may share the blocks of the kept file, and otherwise the reason
// for leaving the copy alone. It reports whether the two files share all their blocks already.
func Shareable(kept, copied *filegroup.Member) (already bool, err error) {
	err = withBoth(kept, copied, func(k, c *lockedFile) error {
		if k.Dev != c.Dev && !subvolumes(k.Fd(), c.Fd()) {
			return c.fail(fmt.Errorf("%w from %s", errDevice, k.name))
		}
		already = sharesBlocks(k.Fd(), c.Fd())
		return nil
	})
	return already, err
}

// withBoth calls check for the two files, which are open but not locked.
func withBoth(kept, copied *filegroup.Member, check func(k, c *lockedFile) error) error {
	var open [2]*lockedFile
	for i, m := range []*filegroup.Member{kept, copied} {
		f, err := files.Open(m.Name, files.Refuse)
		if err != nil {
			return (&lockedFile{name: m.Name}).fail(unnamed(err))
		}
		defer f.Close()
		open[i] = &lockedFile{File: f, name: m.Name}
	}
	return check(open[0], open[1])
}

// linkable is Linkable for open files.
func linkable(k, c *lockedFile) error {
	if k.Dev != c.Dev {
		return c.fail(fmt.Errorf("%w from %s", errDevice, k.name))
	}
	if k.Mode != c.Mode || k.UID != c.UID || k.GID != c.GID {
		return c.fail(fmt.Errorf("%w from %s", errOwner, k.name))
	}
	ours, err := k.Attributes()
	if err != nil {
		return k.fail(fmt.Errorf("reading its extended attributes: %w", err))
	}
	theirs, err := c.Attributes()
	if err != nil {
		return c.fail(fmt.Errorf("reading its extended attributes: %w", err))
	}
	if !maps.Equal(ours, theirs) {
		return c.fail(fmt.Errorf("%w from %s", errAttrs, k.name))
	}
	return nil
}
