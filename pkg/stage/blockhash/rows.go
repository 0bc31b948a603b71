package blockhash

import (
	"strconv"

	"doppel/pkg/files"
	"doppel/pkg/files/filesum"
	"doppel/pkg/line"
	"doppel/pkg/output"
	"doppel/pkg/tool"
)

// The values of Options.Hardlinks.
const (
	each = "each" // write a row for every name
	once = "once" // write a row only for the first name
	mark = "mark" // write a row for every name, with a column that identifies the file
)

// rows writes a row for each hashed file.
type rows struct {
	e       *tool.Env
	o       *Options
	format  line.Format
	number  number
	scheme  []byte
	written output.Written        // files that must not be read
	seen    map[identity]struct{} // files with several names that already have a row; nil if every name gets a row

	// Reused buffers.
	line, hash, file, mtime, ctime []byte
}

// An identity identifies a file, whatever its name, by its device and inode number.
type identity struct{ dev, inode uint64 }

// write writes the rows of the files that were hashed, and reports errors. The parameter read is
// the number of bytes read from all files in rows.
func (r *rows) write(rows []filesum.Row, read int64) error {
	r.e.HaveRead(len(rows), read)
	for i := range rows {
		row := &rows[i]
		if row.Err != nil {
			r.e.Warn(row.Err)
		}
		if err := r.written.CheckFile(&row.Info); err != nil {
			return err
		}
		if row.Err != nil || !row.Hashed {
			continue
		}
		if info := &row.Info; r.seen != nil && info.Links > 1 {
			id := identity{info.Dev, info.Ino}
			if _, seen := r.seen[id]; seen {
				continue
			}
			r.seen[id] = struct{}{}
		}
		if err := r.writeRow(row); err != nil {
			return err
		}
	}
	return nil
}

// pipeSize is the maximum size of a write to a pipe that is not interleaved with writes of other
// processes (PIPE_BUF on Linux).
const pipeSize = 4096

// writeRow writes one row. Every write to the output ends with a complete line and, unless the line
// is longer, has at most pipeSize bytes, so that several processes, such as those of xargs -P, can
// write to the same pipe.
func (r *rows) writeRow(row *filesum.Row) error {
	r.hash = r.number.append(r.hash[:0], row.Sum)
	h := line.FileHash{Hash: r.hash}
	if info := &row.Info; !r.o.Bare {
		h.Name, h.Size = row.Name, info.Size
		if r.o.Hardlinks == mark {
			h.Marked, h.File = true, r.sharedID(info)
		}
		if r.format.JSON {
			r.mtime, r.ctime = info.Mtime.Append(r.mtime[:0]), info.Ctime.Append(r.ctime[:0])
			h.Dev, h.Inode, h.Links = int64(info.Dev), int64(info.Ino), int64(info.Links)
			h.Mtime, h.Ctime, h.Scheme = r.mtime, r.ctime, r.scheme
		}
	}
	r.line = h.Append(r.line[:0], r.format)
	out := r.e.Out
	if out.Buffered()+len(r.line) > pipeSize {
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_, err := out.Write(r.line)
	return err
}

// sharedID returns device:inode, a value shared by all names of a file, or nil if the file has only
// one link.
func (r *rows) sharedID(info *files.Info) []byte {
	if info.Links < 2 {
		return nil
	}
	r.file = append(strconv.AppendUint(r.file[:0], info.Dev, 10), ':')
	r.file = strconv.AppendUint(r.file, info.Ino, 10)
	return r.file
}
