package filesum

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
)

// A Salt is a property of a file, besides its bytes and size, that distinguishes files with
// otherwise equal hashes. A number is hashed as eight bytes in little-endian order, a time as two
// numbers (seconds and nanoseconds), and a string as its bytes followed by its length.
type Salt string

// The salts.
const (
	Mtime Salt = "mtime"
	Ctime Salt = "ctime"
	Ext   Salt = "ext"  // the text after the last dot of the base name; empty if the name has no dot after its first byte
	Base  Salt = "name" // the name without its directories
	Mode  Salt = "mode"
	UID   Salt = "uid"
	GID   Salt = "gid"
	Dev   Salt = "dev"
)

// saltRoom is the space in bytes reserved for the size and salts of a file. If a file needs more,
// for example because its name is long, its data is copied to a larger buffer of its own.
const saltRoom = 1 << 10

// ParseSalts converts names to salts. It returns an error if a name is unknown.
func ParseSalts(names []string) (salts []Salt, err error) {
	for _, n := range names {
		switch s := Salt(n); s {
		case Mtime, Ctime, Ext, Base, Mode, UID, GID, Dev:
			salts = append(salts, s)
		default:
			return nil, fmt.Errorf("invalid salt %q: want mtime, ctime, ext, name, mode, uid, gid or dev", n)
		}
	}
	return salts, nil
}

// append appends the salt of a file to dst.
func (s Salt) append(dst, name []byte, info *files.Info) []byte {
	switch s {
	case Mtime:
		return appendNumbers(dst, uint64(info.Mtime.Sec), uint64(info.Mtime.Nsec))
	case Ctime:
		return appendNumbers(dst, uint64(info.Ctime.Sec), uint64(info.Ctime.Nsec))
	case Mode:
		return appendNumbers(dst, uint64(info.Mode))
	case UID:
		return appendNumbers(dst, uint64(info.UID))
	case GID:
		return appendNumbers(dst, uint64(info.GID))
	case Dev:
		return appendNumbers(dst, info.Dev)
	}
	word := name[bytes.LastIndexByte(name, '/')+1:]
	if s == Ext {
		word = ext(word)
	}
	return appendNumbers(append(dst, word...), uint64(len(word)))
}

// Columns is a source that splits each line of a list into columns and a name. The columns are
// separated by TABs and become Item.Salt.
type Columns struct {
	filename.Source
	Before int // number of columns before the name; the name may contain TABs
}

// Next implements [filename.Source]. If a line has too few columns, its item has an error.
func (c Columns) Next(b *filename.Batch, n int) error {
	if err := c.Source.Next(b, n); err != nil {
		return err
	}
	for i := range b.Items {
		it := &b.Items[i]
		end := 0
		for range c.Before {
			tab := bytes.IndexByte(it.Name[end:], '\t')
			if tab < 0 {
				it.Err = fmt.Errorf("line %d: want %d columns and a name", it.Line, c.Before)
				break
			}
			end += tab + 1
		}
		if it.Err == nil {
			it.Salt, it.Name = it.Name[:end-1], it.Name[end:]
		}
	}
	return nil
}

func ext(base []byte) []byte {
	if dot := bytes.LastIndexByte(base, '.'); dot > 0 {
		return base[dot+1:]
	}
	return nil
}

func appendNumbers(dst []byte, values ...uint64) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, v)
	}
	return dst
}
