package blockhash

import (
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/files"
	"doppel/pkg/filesum"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// links is what becomes of the further names of a file.
type links string

const (
	each links = "each" // a row for every name
	once links = "once" // a row for the first name
	mark links = "mark" // a row for every name, and a column that says which belong together
)

// rows writes the rows.
type rows struct {
	links links
	bare  bool

	e      *tool.Env
	enc    tsv.Encoder
	bits   int
	scheme string
	seen   map[[2]uint64]struct{} // files of several names, under once
	line   []byte
	digits []byte
}

func (r *rows) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&r.bare, "bare", false, "write the hash alone")
	fs.StringVar((*string)(&r.links), "hardlinks", string(each), "files of several names: write `each` name, only once, or mark them")
}

func (r *rows) begin(e *tool.Env, o *filesum.Options) error {
	r.e, r.bits, r.scheme = e, o.Hash.Bits(), o.Scheme()
	r.enc = tsv.Encoder{Stream: tsv.Hashes, JSON: e.JSON, Null: e.Null}
	switch r.links {
	case each:
	case once:
		r.seen = map[[2]uint64]struct{}{}
	case mark:
		r.enc.Stream = tsv.Marked
	default:
		return tool.UsageError("--hardlinks %q: want each, once or mark", r.links)
	}
	switch {
	case r.bare && r.links == mark:
		return tool.UsageError("--bare leaves no place for --hardlinks mark")
	case r.bare:
		r.enc.Stream = tsv.Hashes[:1]
	case e.JSON:
		r.enc.Stream = append(r.enc.Stream[:len(r.enc.Stream):len(r.enc.Stream)], "dev", "inode", "links", "mtime", "ctime", "scheme")
	}
	return nil
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
	id := [2]uint64{info.Dev, info.Ino}
	_, seen := r.seen[id]
	r.seen[id] = struct{}{}
	return !seen
}

// pipeSize is how much a pipe takes at once from each of several writers.
const pipeSize = 4096

// row writes one row. Writes end at ends of lines, and are small enough not to
// be torn: the processes of xargs -P share a pipe.
func (r *rows) row(row *filesum.Row) error {
	r.line = r.append(r.line[:0], row)
	if out := r.e.Out; out.Buffered()+len(r.line) > pipeSize {
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_, err := r.e.Out.Write(r.line)
	return err
}

func (r *rows) append(dst []byte, row *filesum.Row) []byte {
	r.enc.Begin(dst)
	r.digits = row.Sum.AppendHex(r.digits[:0])[:r.bits/4]
	r.enc.Bytes(r.digits)
	if r.bare {
		return r.enc.End()
	}
	r.enc.Int(row.Info.Size)
	if r.links == mark {
		r.mark(&row.Info)
	}
	r.enc.Bytes(row.Name)
	if r.e.JSON {
		r.details(&row.Info)
	}
	return r.enc.End()
}

// mark writes the column that the names of one file share.
func (r *rows) mark(info *files.Info) {
	if info.Links < 2 {
		r.enc.None()
		return
	}
	r.digits = append(strconv.AppendUint(r.digits[:0], info.Dev, 10), ':')
	r.enc.Bytes(strconv.AppendUint(r.digits, info.Ino, 10))
}

func (r *rows) details(info *files.Info) {
	r.enc.Int(int64(info.Dev))
	r.enc.Int(int64(info.Ino))
	r.enc.Int(int64(info.Links))
	r.digits = info.Mtime.Append(r.digits[:0])
	r.enc.Bytes(r.digits)
	r.digits = info.Ctime.Append(r.digits[:0])
	r.enc.Bytes(r.digits)
	r.enc.Bytes([]byte(r.scheme))
}
