//go:build !linux && !darwin && !freebsd && !netbsd

package files

// Attributes returns no attributes, because this system has none.
func (f *File) Attributes() (map[string]string, error) { return nil, nil }
