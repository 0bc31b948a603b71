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
	errs   []error // errors of files that are left out
	files  int
	read   int64
	rows   []filesum.Row // hashes of all bytes, and their parameters
	scheme string
}

func (v *verdict) add(equal []Member) {
	if len(equal) > 1 {
		v.groups = append(v.groups, Group{equal})
	}
}

// comparer returns the function that splits files as Options.Confirm says. Each goroutine
// needs its own.
func (f *finder) comparer() func([]Member) verdict {
	switch f.o.Confirm {
	case Nothing:
		return func(ms []Member) (v verdict) { v.add(ms); return v }
	case Hash:
		how := Whole(f.o.Sum.Links)
		return newRecaller(&how, f.o.Cache).split
	}
	c := &comparer{links: f.o.Sum.Links, a: make([]byte, chunk), b: make([]byte, chunk)}
	return c.split
}

// Whole returns the options for hashing all bytes of files that are not compared byte by
// byte.
func Whole(links files.Links) filesum.Options {
	h, _ := blockhash.New(blockhash.XXH3, nil) // fails only with a key
	return filesum.Options{Rule: blockhash.Rule{Form: blockhash.Full}, Hash: h, Links: links}
}

// split splits files by their hashes.
func (r *recaller) split(ms []Member) (v verdict) {
	if len(ms) < 2 {
		return v
	}
	var names filename.Batch
	for i := range ms {
		names.Add(ms[i].Name, filename.Seen)
	}
	v.rows, v.scheme = r.sign(nil, names.Items, ms), r.scheme
	v.files, v.read = len(v.rows), r.Read()
	equal := map[blockhash.Sum]int{} // index in groups
	var groups []Group
	for i, row := range v.rows {
		if row.Err != nil {
			v.errs = append(v.errs, row.Err)
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

// A comparer splits files by their bytes.
//
// The first file is compared with the others, a few at a time, chunk by chunk, so each
// equal file is read once, and the first one once per batch. Files that differ from it are
// compared with each other in the next round. So there is a round for each distinct
// content, and files with equal block hashes hardly ever have more than one.
type comparer struct {
	links files.Links
	a, b  []byte
}

const (
	chunk    = 128 << 10 // two chunks fit into the second-level cache
	together = 16        // files open at once, besides the first
)

func (c *comparer) split(ms []Member) (v verdict) {
	for len(ms) > 1 {
		equal, rest, err := c.round(ms, &v)
		if err != nil {
			v.errs = append(v.errs, err)
			ms = ms[1:]
			continue
		}
		v.add(equal)
		ms = rest
	}
	return v
}

// round returns the files equal to the first, including the first, and the rest. An error
// concerns the first file.
func (c *comparer) round(ms []Member, v *verdict) (equal, rest []Member, err error) {
	first, err := c.open(&ms[0])
	if err != nil {
		return nil, nil, err
	}
	defer first.Close()
	equal = append(equal, ms[0])
	for some := range slices.Chunk(ms[1:], together) {
		var rs []rival
		for i := range some {
			f, err := c.open(&some[i])
			if err != nil {
				v.errs = append(v.errs, err)
				continue
			}
			rs = append(rs, rival{member: some[i], file: f})
		}
		err := c.compare(&first, rs, v)
		for _, r := range rs {
			r.file.Close()
			switch {
			case r.err != nil:
				v.errs = append(v.errs, &files.Error{Name: string(r.member.Name), Err: r.err})
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

// A rival is a file that is being compared with the first.
type rival struct {
	member  Member
	file    files.File
	differs bool
	err     error
}

// open opens a file if it is unchanged.
func (c *comparer) open(m *Member) (files.File, error) {
	f, err := files.Open(m.Name, c.links)
	if err != nil {
		return f, err
	}
	if err := m.same(&f.Info); err != nil {
		f.Close()
		return f, err
	}
	return f, nil
}

// compare reads until the end, or until all rivals differ.
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
