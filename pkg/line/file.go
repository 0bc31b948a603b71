package line

// A FileHash is what blockhash writes of a file. An object tells more of the file.
type FileHash struct {
	Hash         []byte // hex digits
	Size         int64
	Marked       bool   // there is a column between that names of one file share
	File         []byte // that column: device:inode, or nil for a file of one name
	Name         []byte // nil: the line is the hash alone
	Dev, Inode   int64  // from here on in objects only
	Links        int64
	Mtime, Ctime []byte // in seconds, with nine decimals
	Scheme       []byte // what fixes the hash
}

func (h *FileHash) columns(c *codec) *codec {
	c.bytes("hash", &h.Hash)
	if !c.has(h.Name != nil, "name", 2) {
		return c
	}
	c.int("size", &h.Size)
	h.Marked = c.has(h.Marked, "file", 2)
	if c.mode == readObject && !h.Marked {
		text, _ := c.find("file")
		h.Marked = string(text) == null
	}
	if h.Marked {
		c.maybe("file", &h.File)
	}
	c.bytes("name", &h.Name)
	if c.json() {
		c.optional()
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

// A Group is a file of a group of equal files.
type Group struct {
	Group  int64 // the number of the group, from 1
	Size   int64
	Wasted int64 // the bytes that its removal would free; 0 for the first of a group
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

// Directories are two directories that have files in common.
type Directories struct {
	Kind []byte // equal, similar or within: A in B
	Pair
	ShareA, ShareB float64 // of the files of each that have an equal in the other
	FilesA, FilesB int64
	Bytes          int64 // of those files of A
}

func (d *Directories) columns(c *codec) *codec {
	c.bytes("kind", &d.Kind)
	d.Pair.columns(c)
	c.float("share_a", &d.ShareA)
	c.float("share_b", &d.ShareB)
	c.int("files_a", &d.FilesA)
	c.int("files_b", &d.FilesB)
	c.int("shared_bytes", &d.Bytes)
	return c
}

func (d Directories) Append(dst []byte, f Format) []byte { return d.columns(writer(dst, f)).w.End() }

func (d *Directories) Parse(line []byte) error {
	return end(d.columns(reader(line)), (*Directories).columns)
}
