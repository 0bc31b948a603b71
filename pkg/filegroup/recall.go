package filegroup

import (
	"doppel/pkg/files/filename"
	"doppel/pkg/files/filesum"
)

// A recaller hashes files, but for those whose hash a cache knows. Each goroutine
// needs its own.
type recaller struct {
	*filesum.Signer
	cache  *Cache // nil: nothing is known
	scheme string
}

func newRecaller(o *filesum.Options, c *Cache) *recaller {
	return &recaller{filesum.NewSigner(o), c, o.Scheme()}
}

// sign appends a row for each of the files, whose names are those of the members.
func (r *recaller) sign(rows []filesum.Row, items []filename.Item, ms []Member) []filesum.Row {
	if r.cache == nil {
		return r.Sign(rows, items)
	}
	unknown := 0 // where those begin that are not signed yet
	for i := range items {
		sum, ok := r.cache.lookUp(r.scheme, &ms[i].Info)
		if ok {
			rows = r.Sign(rows, items[unknown:i])
			rows = append(rows, filesum.Row{Name: items[i].Name, Info: ms[i].Info, Sum: sum, Hashed: true})
			unknown = i + 1
		}
	}
	return r.Sign(rows, items[unknown:])
}
