package filegroup

import (
	"bytes"
	"slices"

	"doppel/pkg/blockhash"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
)

// A verdict is the result of comparing the files that share a block hash.
type verdict struct {
	groups []Group
	errs   []error // one error for each file left out
	doubt  bool    // a spared file could not be read, so nothing may be done with the others
	files  int
	read   int64
	rows   []filesum.Row // hashes of all bytes; nil if no such hashes were computed
	scheme string
}

// fail adds the error of a file.
func (v *verdict) fail(m *Member, err error) {
	v.errs, v.doubt = append(v.errs, err), v.doubt || m.Spared
}

func (v *verdict) add(equal []Member) {
	if len(equal) > 1 {
		v.groups = append(v.groups, Group{equal})
	}
}

// comparer returns a function that splits files into groups of equal files, using the method that
// Options.Confirm selects. The returned function is not safe for concurrent use.
func (f *finder) comparer() func([]Member) verdict {
	switch f.o.Confirm {
	case Nothing:
		return func(ms []Member) (v verdict) { v.add(ms); return v }
	case Hash:
		how := Whole(f.o.Sum.Links)
		return newCachingSigner(&how, f.o.Cache).split
	}
	c := &comparer{links: f.o.Sum.Links, a: make([]byte, chunk), b: make([]byte, chunk)}
	return c.split
}

// Whole returns options for computing the 128-bit XXH3 hash of all bytes of a file.
func Whole(links files.Links) filesum.Options {
	h, _ := blockhash.New(blockhash.XXH3, nil) // cannot fail, because no key is given
	return filesum.Options{Rule: blockhash.Rule{Selection: blockhash.Full}, Hash: h, Links: links}
}

// split groups files by the hash of all their bytes.
func (r *cachingSigner) split(ms []Member) (v verdict) {
	if len(ms) < 2 {
		return v
	}
	var names filename.Batch
	for i := range ms {
		names.Add(ms[i].Name, ms[i].seen())
	}
	v.rows, v.scheme = r.sign(nil, names.Items, ms), r.scheme
	v.files, v.read = len(v.rows), r.Read()
	equal := map[blockhash.Sum]int{} // maps each hash to the index of its group in the slice groups
	var groups []Group
	for i, row := range v.rows {
		if row.Err != nil {
			v.fail(&ms[i], row.Err)
			continue
		}
		at, ok := equal[row.Sum]
		if !ok {
			at = len(groups)
			equal[row.Sum] = at
			groups = append(groups, Group{})
		}
		groups[at].Members = append(groups[at].Members, ms[i])
	}
	for _, g := range groups {
		v.add(g.Members)
	}
	return v
}

// A comparer splits files into groups of equal files, in rounds.
//
// A round compares the first file with all others, [maxRivals] files at a time, chunk by chunk. It
// reads each of the others at most once, and the first file once for every [maxRivals] others.
// Files that differ from the first are left for the next round. So there is one round per group of
// equal files, and files with equal block hashes rarely need a second round.
type comparer struct {
	links files.Links
	a, b  []byte
}

const (
	chunk     = 128 << 10 // two chunks fit into the second-level cache
	maxRivals = 16        // maximum number of files that are compared with the first file at the same time
)

func (c *comparer) split(ms []Member) (v verdict) {
	for len(ms) > 1 {
		equal, rest, err := c.round(ms, &v)
		if err != nil {
			v.fail(&ms[0], err)
			ms = ms[1:]
			continue
		}
		v.add(equal)
		ms = rest
	}
	return v
}

// round compares ms[0] with the other files. It returns the files equal to ms[0], including ms[0]
// itself, and the files that differ. If ms[0] has changed or cannot be read, it returns an error.
// Errors for other files are added to v.
func (c *comparer) round(ms []Member, v *verdict) (equal, rest []Member, err error) {
	first, err := c.open(&ms[0])
	if err != nil {
		return nil, nil, err
	}
	defer first.Close()
	equal = append(equal, ms[0])
	for some := range slices.Chunk(ms[1:], maxRivals) {
		var rs []rival
		for i := range some {
			f, err := c.open(&some[i])
			if err != nil {
				v.fail(&some[i], err)
				continue
			}
			rs = append(rs, rival{member: some[i], file: f})
		}
		err := c.compare(&first, rs, v)
		for _, r := range rs {
			r.file.Close()
			switch {
			case r.err != nil:
				v.fail(&r.member, &files.Error{Name: string(r.member.Name), Err: r.err})
			case r.differs:
				rest = append(rest, r.member)
			default:
				equal = append(equal, r.member)
			}
		}
		if err != nil {
			return nil, nil, &files.Error{Name: string(ms[0].Name), Err: err}
		}
	}
	return equal, rest, nil
}

// A rival is an open file that is being compared with the first file of a round.
type rival struct {
	member  Member
	file    files.File
	differs bool
	err     error
}

// open opens a file, and returns an error if the file has changed since it was listed.
func (c *comparer) open(m *Member) (files.File, error) {
	f, err := files.Open(m.Name, c.links.Of(m.Kind))
	if err != nil {
		return f, err
	}
	if err := m.same(&f.Info); err != nil {
		f.Close()
		return f, err
	}
	return f, nil
}

// compare compares the first file with the rivals. It stops at the end of the file, or when no
// rival can still be equal to the first file. It stores the results in rs, and returns an error
// only if the first file cannot be read.
func (c *comparer) compare(first *files.File, rs []rival, v *verdict) error {
	v.files += len(rs) + 1
	for off, left := int64(0), len(rs); off < first.Size && left > 0; off += chunk {
		a := c.a[:min(chunk, first.Size-off)]
		if err := first.ReadAt(a, off); err != nil {
			return err
		}
		v.read += int64(len(a)) * int64(left+1)
		left = 0
		for i := range rs {
			r, b := &rs[i], c.b[:len(a)]
			if r.differs || r.err != nil {
				continue
			}
			if r.err = r.file.ReadAt(b, off); r.err != nil {
				continue
			}
			if r.differs = !bytes.Equal(a, b); !r.differs {
				left++
			}
		}
	}
	return nil
}
