package filegroup

import (
	"slices"

	"doppel/pkg/blockhash"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
	"doppel/pkg/par"
)

// A Catalog lists files stored elsewhere by content: it maps the hash made by [Whole] and the
// size to the name of the file. It is in memory: about 150 bytes plus the name for
// each content.
type Catalog struct {
	names map[seenContent]string
	sizes map[int64]bool
}

type seenContent struct {
	sum  blockhash.Sum
	size int64
}

// Add adds a content. The first name added for a content is kept.
func (k *Catalog) Add(sum blockhash.Sum, size int64, name []byte) {
	if k.names == nil {
		k.names, k.sizes = map[seenContent]string{}, map[int64]bool{}
	}
	if _, ok := k.names[seenContent{sum, size}]; !ok {
		k.names[seenContent{sum, size}], k.sizes[size] = string(name), true
	}
}

// Find calls emit for each file of the source whose content is in the catalog, in the order of
// the source; the group consists of the known file and this file. Only files with a size from
// the catalog are read. Of Options.Sum only Links is used; Options.Spared is ignored.
func (k *Catalog) Find(src filename.Source, o *Options, emit func(*Group) error) error {
	next := func() (*batch, error) {
		b := new(batch)
		return b, src.Next(&b.names, 64)
	}
	how := Whole(o.Sum.Links)
	hasher := func() func(*batch) *batch {
		s := newRecaller(&how, o.Cache)
		return func(b *batch) *batch {
			b.infos = files.StatAll(b.infos[:0], b.names.Items, how.Links)
			var wanted []filename.Item
			for i, it := range b.names.Items {
				size := b.infos[i].Size
				if it.Err == nil && size > 0 && size >= o.MinSize && k.sizes[size] {
					wanted = append(wanted, it)
					b.members = append(b.members, Member{Name: it.Name, Info: b.infos[i]})
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
