package line

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

// Append appends the line of d to dst.
func (d Directories) Append(dst []byte, f Format) []byte { return d.columns(writer(dst, f)).w.End() }

// Parse reads a line.
func (d *Directories) Parse(line []byte) error {
	return end(d.columns(reader(line)), (*Directories).columns)
}
