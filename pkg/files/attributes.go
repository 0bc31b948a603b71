//go:build linux || darwin || freebsd || netbsd

package files

import (
	"bytes"
	"errors"

	"golang.org/x/sys/unix"
)

// Attributes returns the extended attributes of an open file by name. On Linux, they include the
// access list and the capabilities. A file system without attributes has none of them.
func (f *File) Attributes() (map[string]string, error) {
	names, err := attribute(func(buf []byte) (int, error) { return unix.Flistxattr(f.fd, buf) })
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for name := range bytes.SplitSeq(names, []byte{0}) {
		if len(name) == 0 {
			continue
		}
		value, err := attribute(func(buf []byte) (int, error) { return unix.Fgetxattr(f.fd, string(name), buf) })
		if err != nil {
			return nil, err
		}
		all[string(name)] = string(value)
	}
	return all, nil
}

// attribute calls a system call that fills a buffer, first with no buffer to learn the size. If the
// value grows in between, it tries again.
func attribute(call func([]byte) (int, error)) ([]byte, error) {
	for {
		n, err := call(nil)
		if errors.Is(err, unix.ENOTSUP) || n == 0 && err == nil {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		buf := make([]byte, n)
		if n, err = call(buf); !errors.Is(err, unix.ERANGE) {
			return buf[:max(n, 0)], err
		}
	}
}
