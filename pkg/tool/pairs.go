package tool

import (
	"github.com/spf13/pflag"

	"doppel/pkg/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/tsv"
)

// PairingFlags adds the flags that say how the members of a bucket are paired.
func PairingFlags(fs *pflag.FlagSet, p *lsh.Pairing) {
	fs.IntVar(&p.Hot, "hot", 1000, "pair at most `N` members of a bucket all with all")
	fs.BoolVar(&p.All, "all-pairs", false, "do not collapse records that are equal")
}

// WritePairs writes sorted pairs of ranks as pairs of ids. Order[r] is the
// number of the id of rank r, or r if order is nil.
func (e *Env) WritePairs(s *lsh.PairSorter, list *ids.List, order []uint32) error {
	newFormat := func() func([][1]uint64) []byte {
		enc := tsv.Encoder{Stream: tsv.Pairs, JSON: e.JSON, Null: e.Null}
		var id []byte
		name := func(rank uint32) []byte {
			if order != nil {
				rank = order[rank]
			}
			id = list.Append(id[:0], int(rank))
			return id
		}
		return func(pairs [][1]uint64) (text []byte) {
			for _, p := range pairs {
				enc.Begin(text)
				enc.Bytes(name(uint32(p[0] >> 32)))
				enc.Bytes(name(uint32(p[0])))
				text = enc.End()
			}
			return text
		}
	}
	return s.Each(e.Jobs, newFormat, func(text []byte) error {
		_, err := e.Out.Write(text)
		return err
	})
}

// ReportSkipped tells the user what hot buckets left out. Nothing is lost in
// silence; the exit status stays.
func (e *Env) ReportSkipped(s lsh.Skipped) {
	if s.Pairs > 0 {
		e.Note("%d pairs in %d hot buckets left out; the largest has %d members", s.Pairs, s.Buckets, s.Largest)
	}
}

// ReportSpilled tells a user who watches how much went to scratch files.
func (e *Env) ReportSpilled(bytes int64) {
	if bytes > 0 && e.Watching() {
		e.Note("%.1f MB spilled", float64(bytes)/1e6)
	}
}
