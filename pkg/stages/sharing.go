package stages

import (
	"cmp"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// Sharing says what is told of the keys that records share.
type Sharing struct {
	Count bool   // how many a pair shares
	List  string // the file that lists the keys that too many records have
}

// SharingFlags adds the flags of Sharing, and the one that says how many
// records are too many.
func SharingFlags(fs *pflag.FlagSet, p *lsh.Pairing, s *Sharing) {
	fs.IntVar(&p.Common, "df", 0, "make no pairs for a key that more than `N` records have")
	fs.StringVar(&s.List, "common", "", "list those keys in `FILE`")
	fs.BoolVar(&s.Count, "count", false, "write how many keys each pair shares")
}

// Stream returns the columns of the pairs.
func (s Sharing) Stream() tsv.Stream {
	if s.Count {
		return tsv.Counted
	}
	return tsv.Pairs
}

// A CommonKey is a key that too many records have.
type CommonKey struct {
	Key     string
	Records int
	Example []byte // the id of one of them
}

// ReportCommon tells of the keys that more records than the bound have, and
// lists them, the commonest first.
func ReportCommon(e *tool.Env, s Sharing, bound int, keys []CommonKey) error {
	slices.SortFunc(keys, func(a, b CommonKey) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Key, b.Key))
	})
	if len(keys) > 0 {
		e.Note("%d keys left out, which more than %d records have; the commonest has %d, such as %s",
			len(keys), bound, keys[0].Records, keys[0].Example)
	}
	if s.List == "" {
		return nil
	}
	w, err := e.Create(s.List)
	if err != nil {
		return err
	}
	enc, line := tsv.Encoder{Stream: tsv.Common, JSON: e.JSON}, []byte(nil)
	for _, k := range keys {
		enc.Begin(line[:0])
		enc.Word(k.Key)
		enc.Int(int64(k.Records))
		enc.Bytes(k.Example)
		line = enc.End()
		w.Write(line)
	}
	return nil // a failed write shows up when the output is closed
}

// RankName returns the function that appends the id of a rank: order[rank] is
// its number, or rank itself if order is nil.
func RankName(list *ids.List, order []uint32) func([]byte, uint32) []byte {
	return func(dst []byte, rank uint32) []byte {
		if order != nil {
			rank = order[rank]
		}
		return list.Append(dst, int(rank))
	}
}
