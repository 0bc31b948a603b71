package filegroup

import (
	"bytes"
	"io"
	"sync"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
	"doppel/pkg/par"
)

// A finder holds the state of a search.
type finder struct {
	o      *Options
	store  *store
	spared uint64    // files whose entry has an offset below this value are spared
	pool   sync.Pool // reused batches
}

// A batch is a set of files that one worker processes together.
type batch struct {
	names   filename.Batch
	infos   []files.Info
	places  []uint64
	members []Member
	rows    []filesum.Row
	read    int64
}

// list adds an entry for each file of src to the store, and adds the offset of the entry to bySize,
// with a key derived from the size of the file.
func (f *finder) list(bySize *sorter, src filename.Source) error {
	next := func() (*batch, error) {
		b := f.pool.Get().(*batch)
		return b, src.Next(&b.names, 64)
	}
	look := func() func(*batch) *batch {
		return func(b *batch) *batch {
			b.infos = files.StatAll(b.infos[:0], b.names.Items, f.o.Sum.Links)
			return b
		}
	}
	return par.Ordered(f.o.Jobs, next, look, func(b *batch) error {
		for i := range b.infos {
			it, info := &b.names.Items[i], &b.infos[i]
			if it.Err != nil {
				if err := f.report(it.Err, f.store.end()); err != nil {
					return err
				}
				continue
			}
			if info.Size == 0 || info.Size < f.o.MinSize || f.o.MaxSize > 0 && info.Size > f.o.MaxSize {
				if f.o.Left != nil && info.Ino != 0 { // a directory of a list has no status
					f.o.Left(it.Name, info)
				}
				continue
			}
			if f.o.Named != nil {
				if err := f.o.Named(it.Name, info); err == ErrLeaveOut {
					continue
				} else if err != nil {
					return err
				}
			}
			place, err := f.store.add(it.Name, info, it.Kind)
			if err != nil {
				return err
			}
			if err := bySize.add(uint64(info.Size)*spread, place); err != nil {
				return err
			}
		}
		f.pool.Put(b)
		return nil
	})
}

// report reports the error of the file whose entry has, or would have, the given offset. An error
// of a spared file is returned instead: without that file, others may lose their protection.
func (f *finder) report(err error, place uint64) error {
	if place < f.spared {
		return &SparedError{err}
	}
	f.o.Report(err)
	return nil
}

// The key of a file in bySize is the product of its size and spread, modulo 2^64. This factor is
// odd, so that different sizes have different keys, and large, so that all partitions have keys.
const spread = 0x9e3779b97f4a7c15

// hash hashes the files that have the same size as another file, and returns a sorter of the
// offsets of their entries, keyed by hash. It reads the files in the order in which the
// sources returned them, which is often their order on disk.
func (f *finder) hash(bySize *sorter) (*sorter, error) {
	byName := newSorter(f.store.end(), f.o.Mem/2)
	err := bySize.regroup(byName, func(_, place uint64) uint64 { return place })
	if err != nil {
		return nil, err
	}
	byHash := newSorter(0, f.o.Mem/2)
	r := f.store.reader()
	next := func() (*batch, error) { return f.candidates(byName, &r) }
	signer := func() func(*batch) *batch {
		s := newCachingSigner(&f.o.Sum, f.o.Cache)
		return func(b *batch) *batch {
			b.rows = s.sign(b.rows, b.names.Items, b.members)
			b.read = s.Read()
			return b
		}
	}
	err = par.Ordered(filesum.Readers*f.o.Jobs, next, signer, func(b *batch) error {
		f.o.Read(len(b.rows), b.read)
		for i := range b.rows {
			row := &b.rows[i]
			f.o.Cache.learn(f.o.Sum.Scheme(), row)
			if row.Err != nil {
				if err := f.report(row.Err, b.places[i]); err != nil {
					return err
				}
				continue
			}
			if err := byHash.add(row.Sum.Hi, b.places[i]); err != nil {
				return err
			}
		}
		f.pool.Put(b)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return byHash, byName.s.Close()
}

// seen returns the kind of a name whose file was regular when it was listed.
func (m *Member) seen() filename.Kind { return max(m.Kind, filename.Seen) }

// candidates returns the next batch of files to hash. After the last batch it returns io.EOF.
func (f *finder) candidates(byName *sorter, r *reader) (*batch, error) {
	b := f.pool.Get().(*batch)
	b.names.Reset()
	b.places, b.members = b.places[:0], b.members[:0]
	for len(b.places) < f.o.Sum.BatchSize() {
		place, err := byName.next()
		if err == io.EOF && len(b.places) > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		m, err := r.get(place[0][1])
		if err != nil {
			return nil, err
		}
		m.Name = b.names.Add(m.Name, m.seen())
		b.places, b.members = append(b.places, place[0][1]), append(b.members, m)
	}
	return b, nil
}

// confirm splits the files that share a block hash into groups of equal files, and calls emit for
// each group. A file with several names is a single member, whose Name is the first of them.
func (f *finder) confirm(byHash *sorter, emit func(*Group) error) error {
	byFirst := newSorter(f.store.end(), f.o.Mem/2)
	err := byHash.regroup(byFirst, func(first, _ uint64) uint64 { return first })
	if err != nil {
		return err
	}
	// seen maps the device and inode of a file to the file's index in the result.
	r, seen := f.store.reader(), map[[2]uint64]int{}
	next := func() (all []Member, err error) {
		places, err := byFirst.next()
		if err != nil {
			return nil, err
		}
		clear(seen)
		for _, p := range places {
			m, err := r.get(p[1])
			if err != nil {
				return nil, err
			}
			id := [2]uint64{m.Info.Dev, m.Info.Ino}
			if i, ok := seen[id]; ok {
				all[i].Others = append(all[i].Others, bytes.Clone(m.Name))
				continue
			}
			seen[id] = len(all)
			m.Name, m.Spared = bytes.Clone(m.Name), p[1] < f.spared
			all = append(all, m)
		}
		return all, nil
	}
	err = par.Ordered(filesum.Readers*f.o.Jobs, next, f.comparer, func(v verdict) error {
		f.o.Read(v.files, v.read)
		for _, err := range v.errs {
			f.o.Report(err)
		}
		for i := range v.rows {
			f.o.Cache.learn(v.scheme, &v.rows[i])
		}
		if v.doubt {
			return nil
		}
		for i := range v.groups {
			if err := emit(&v.groups[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return byFirst.s.Close()
}
