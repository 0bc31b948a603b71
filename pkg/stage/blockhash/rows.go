package blockhash

import (
	"io"
	"strconv"

	"doppel/pkg/files"
	"doppel/pkg/files/filesum"
	"doppel/pkg/line"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// What may be written of a file of several names.
const (
	each = "each" // a row for every name
	once = "once" // a row for the first name
	mark = "mark" // a row for every name, and a column that says which belong together
)

// rows writes the rows.
type rows struct {
	e      *tool.Env
	out    io.Writer // e.Out, or what escapes on the way there
	bare   bool
	marked bool
	format line.Format
	number number
	scheme []byte
	seen   map[identity]struct{} // files of several names, nil if each name is written

	// Memory that is used again.
	line, hash, file, mtime, ctime []byte
}

// An identity is a file, whatever its names.
type identity struct{ dev, inode uint64 }

func newRows(e *tool.Env, o *Options, how *filesum.Options) *rows {
	r := &rows{
		e:      e,
		out:    e.Out,
		bare:   o.Bare,
		marked: o.Hardlinks == mark,
		format: lines.Format(e),
		number: number{o.Decimal, how.Hash.Bits()},
		scheme: []byte(how.Scheme()),
	}
	if o.Hardlinks == once {
		r.seen = map[identity]struct{}{}
	}
	return r
}

// write writes the rows of some files, or reports what is wrong with them.
func (r *rows) write(rows []filesum.Row, read int64) error {
	r.e.HaveRead(len(rows), read)
	for i := range rows {
		row := &rows[i]
		switch {
		case row.Err != nil:
			r.e.Warn(row.Err)
		case row.Hashed && r.first(&row.Info):
			if err := r.row(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// first reports whether a file is to be written under this name.
func (r *rows) first(info *files.Info) bool {
	if r.seen == nil || info.Links < 2 {
		return true
	}
	id := identity{info.Dev, info.Ino}
	_, seen := r.seen[id]
	r.seen[id] = struct{}{}
	return !seen
}

// pipeSize is how much a pipe takes at once from each of several writers.
const pipeSize = 4096

// row writes one row. Writes end at ends of lines, and are small enough not to
// be torn: the processes of xargs -P share a pipe.
func (r *rows) row(row *filesum.Row) error {
	h := r.hashOf(row)
	r.line = h.Append(r.line[:0], r.format)
	if out := r.e.Out; out.Buffered()+len(r.line) > pipeSize {
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_, err := r.out.Write(r.line)
	return err
}

// hashOf returns what is written of a file; it is good until the next call.
func (r *rows) hashOf(row *filesum.Row) (h line.FileHash) {
	r.hash = r.number.append(r.hash[:0], row.Sum)
	h.Hash = r.hash
	if r.bare {
		return h
	}
	h.Name, h.Size = row.Name, row.Info.Size
	if r.marked {
		h.Marked, h.File = true, r.mark(&row.Info)
	}
	if r.format.JSON {
		r.details(&h, &row.Info)
	}
	return h
}

// mark returns what the names of one file share, nil for a file of one name.
func (r *rows) mark(info *files.Info) []byte {
	if info.Links < 2 {
		return nil
	}
	r.file = append(strconv.AppendUint(r.file[:0], info.Dev, 10), ':')
	r.file = strconv.AppendUint(r.file, info.Ino, 10)
	return r.file
}

func (r *rows) details(h *line.FileHash, info *files.Info) {
	r.mtime, r.ctime = info.Mtime.Append(r.mtime[:0]), info.Ctime.Append(r.ctime[:0])
	h.Dev, h.Inode, h.Links = int64(info.Dev), int64(info.Ino), int64(info.Links)
	h.Mtime, h.Ctime, h.Scheme = r.mtime, r.ctime, r.scheme
}
