package line

// A FileHash is the line that blockhash writes for a file. Some fields exist only in JSON.
type FileHash struct {
	Hash         []byte // hex digits
	Size         int64
	Marked       bool   // the line has a column for File
	File         []byte // device:inode, if the file has several hard links; otherwise nil
	Name         []byte // nil if the line consists of the hash alone
	Dev, Inode   int64  // this field and those below are only in JSON
	Links        int64
	Mtime, Ctime []byte // seconds with nine decimals
	Scheme       []byte // the parameters that determine the hash
}

func (h *FileHash) columns(c *codec) *codec {
	c.bytes("hash", &h.Hash)
	if !c.hasColumns(h.Name != nil, "name", 2) {
		return c
	}
	c.int("size", &h.Size)
	h.Marked = c.hasColumns(h.Marked, "file", 2)
	if c.mode == readObject && !h.Marked {
		text, _ := c.find("file")
		h.Marked = string(text) == null
	}
	if h.Marked {
		c.maybe("file", &h.File)
	}
	c.bytes("name", &h.Name)
	if c.json() {
		c.restOptional()
		c.int("dev", &h.Dev)
		c.int("inode", &h.Inode)
		c.int("links", &h.Links)
		c.bytes("mtime", &h.Mtime)
		c.bytes("ctime", &h.Ctime)
		c.bytes("scheme", &h.Scheme)
	}
	return c
}

func (h FileHash) Append(dst []byte, f Format) []byte { return h.columns(writer(dst, f)).w.End() }

func (h *FileHash) Parse(line []byte) error {
	*h = FileHash{}
	return end(h.columns(reader(line)), (*FileHash).columns)
}

// A Group is the line for one file in a group of files with equal contents.
type Group struct {
	Group  int64 // number of the group, from 1
	Size   int64
	Wasted int64 // number of bytes that removing the file would free; 0 for a group's first file
	Name   []byte
}

func (g *Group) columns(c *codec) *codec {
	c.int("group", &g.Group)
	c.int("size", &g.Size)
	c.int("wasted", &g.Wasted)
	c.bytes("name", &g.Name)
	return c
}

func (g Group) Append(dst []byte, f Format) []byte { return g.columns(writer(dst, f)).w.End() }
func (g *Group) Parse(line []byte) error           { return end(g.columns(reader(line)), (*Group).columns) }

// Directories is the line for two directories with files in common.
type Directories struct {
	Kind []byte // equal, similar, or within (A is in B)
	Pair
	ShareA, ShareB float64 // share of the files that have an equal file in the other directory
	FilesA, FilesB int64
	Bytes          int64  // total size of A's files that have an equal file in B
	Differs        []byte // what differs, as in "names,links"; nil if nothing does
}

func (d *Directories) columns(c *codec) *codec {
	c.bytes("kind", &d.Kind)
	d.Pair.columns(c)
	c.float("share_a", &d.ShareA)
	c.float("share_b", &d.ShareB)
	c.int("files_a", &d.FilesA)
	c.int("files_b", &d.FilesB)
	c.int("shared_bytes", &d.Bytes)
	c.maybe("differs", &d.Differs)
	return c
}

func (d Directories) Append(dst []byte, f Format) []byte { return d.columns(writer(dst, f)).w.End() }

func (d *Directories) Parse(line []byte) error {
	return end(d.columns(reader(line)), (*Directories).columns)
}
