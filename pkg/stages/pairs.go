package stages

import (
	"github.com/spf13/pflag"

	"doppel/pkg/lsh"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// PairingFlags adds the flags that say how the members of a bucket are paired.
func PairingFlags(fs *pflag.FlagSet, p *lsh.Pairing) {
	fs.IntVar(&p.Hot, "hot", 1000, "pair at most `N` members of a bucket all with all")
	fs.BoolVar(&p.All, "all-pairs", false, "do not collapse records that are equal")
}

// WritePairs writes sorted pairs of ranks as pairs of ids, each once. Name
// appends the id of a rank. If the stream is tsv.Counted, the third column is
// how often the sorter had the pair.
func WritePairs(e *tool.Env, stream tsv.Stream, s *lsh.PairSorter, name func(dst []byte, rank uint32) []byte) error {
	newFormat := func() func([][1]uint64) []byte {
		enc := tsv.Encoder{Stream: stream, JSON: e.JSON, Null: e.Null}
		var id []byte
		return func(pairs [][1]uint64) (text []byte) {
			for len(pairs) > 0 {
				p, n := pairs[0], 1
				for n < len(pairs) && pairs[n] == p {
					n++
				}
				pairs = pairs[n:]
				enc.Begin(text)
				id = name(id[:0], uint32(p[0]>>32))
				enc.Bytes(id)
				id = name(id[:0], uint32(p[0]))
				enc.Bytes(id)
				if len(stream) > len(tsv.Pairs) {
					enc.Int(int64(n))
				}
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
func ReportSkipped(e *tool.Env, s lsh.Skipped) {
	if s.Pairs > 0 {
		e.Note("%d pairs in %d hot buckets left out; the largest has %d members", s.Pairs, s.Buckets, s.Largest)
	}
}

// ReportSpilled tells a user who watches how much went to scratch files.
func ReportSpilled(e *tool.Env, bytes int64) {
	if bytes > 0 && e.Watching() {
		e.Note("%.1f MB spilled", float64(bytes)/1e6)
	}
}
