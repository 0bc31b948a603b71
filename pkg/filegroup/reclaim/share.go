package reclaim

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

var errCannotShare = errors.New("its file system cannot share blocks")

// share lets a copy share the blocks of the kept file. It does nothing if the copy shares all of
// them already.
func (r *Reclaimer) share(k, c *lockedFile) error {
	if sharesBlocks(k.Fd(), c.Fd()) {
		return nil
	}
	r.callHook(compared, k, c.name)
	if err := dedupe(k.Fd(), c.Fd(), c.Size); err != nil {
		switch {
		case errors.Is(err, unix.EXDEV):
			err = fmt.Errorf("%w from %s", errDevice, k.name)
		case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOTTY), errors.Is(err, unix.ENOSYS):
			err = errCannotShare
		}
		r.Report(c.fail(err))
		return nil
	}
	r.freed += min(c.Size, c.Allocated)
	return r.log(k, c.name)
}
