package filegroup

import (
	"slices"

	"doppel/pkg/blockhash"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
	"doppel/pkg/par"
)

// A Catalog lists files that are stored elsewhere, one file for each distinct content. It
// identifies the content of a file by its size and by the hash that [Whole] specifies. A Catalog is
// kept in memory, and takes about 150 bytes per file in addition to the names. The zero Catalog is
// empty and ready to use.
type Catalog struct {
	names map[seenContent]string
	sizes map[int64]bool
}

type seenContent struct {
	sum  blockhash.Sum
	size int64
}

// Add adds a file of size bytes, unless the catalog already has a file with the same content.
func (k *Catalog) Add(sum blockhash.Sum, size int64, name []byte) {
	if k.names == nil {
		k.names, k.sizes = map[seenContent]string{}, map[int64]bool{}
	}
	if _, ok := k.names[seenContent{sum, size}]; !ok {
		k.names[seenContent{sum, size}], k.sizes[size] = string(name), true
	}
}

// Find calls emit for each file of src whose content is in the catalog, in the order of src. Each
// group has two members: the file in the catalog and the file of src. Find reads only files that
// have the same size as a file in the catalog. It ignores the fields Confirm, Spared, Mem and Left
// of o, and all fields of o.Sum except Links.
func (k *Catalog) Find(src filename.Source, o *Options, emit func(*Group) error) error {
	next := func() (*batch, error) {
		b := new(batch)
		return b, src.Next(&b.names, 64)
	}
	how := Whole(o.Sum.Links)
	hasher := func() func(*batch) *batch {
		s := newCachingSigner(&how, o.Cache)
		return func(b *batch) *batch {
			b.infos = files.StatAll(b.infos[:0], b.names.Items, how.Links)
			var wanted []filename.Item
			for i, it := range b.names.Items {
				size := b.infos[i].Size
				if it.Err == nil && size > 0 && size >= o.MinSize && (o.MaxSize == 0 || size <= o.MaxSize) && k.sizes[size] {
					wanted = append(wanted, it)
					b.members = append(b.members, Member{Name: it.Name, Kind: it.Kind, Info: b.infos[i]})
				}
			}
			b.rows = s.sign(nil, wanted, b.members)
			b.read = s.Read()
			return b
		}
	}
	return par.Ordered(filesum.Readers*o.Jobs, next, hasher, func(b *batch) error {
		o.Read(len(b.rows), b.read)
		for _, it := range b.names.Items {
			if it.Err != nil {
				o.Report(it.Err)
			}
		}
		for i := range b.infos {
			if o.Named != nil && b.names.Items[i].Err == nil && b.infos[i].Size > 0 {
				if err := o.Named(b.names.Items[i].Name, &b.infos[i]); err != nil && err != ErrLeaveOut {
					return err
				}
			}
		}
		for i := range b.rows {
			row, m := &b.rows[i], b.members[i]
			o.Cache.learn(how.Scheme(), row)
			name, ok := k.names[seenContent{row.Sum, m.Info.Size}]
			switch {
			case row.Err != nil:
				o.Report(row.Err)
			case ok:
				there := Member{Name: []byte(name), Info: files.Info{Size: m.Info.Size}, Spared: true}
				m.Name = slices.Clone(m.Name)
				if err := emit(&Group{[]Member{there, m}}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
