package lshpairs

import (
	"bufio"

	"doppel/pkg/lsh"
	"doppel/pkg/lsh/keyfile"
	"doppel/pkg/msg"
	"doppel/pkg/tool"
)

// A hotBuckets looks signatures up in the hot buckets of an index, in the order of the input. The
// n-th signature in a bucket is paired with the first old signatures only, of which there are
// lsh.Pairing.Reach(n), and with the equal ones. So a single new signature meets as many as with
// signatures in place of the index, and the pairs of a bucket grow no faster than n log n.
type hotBuckets struct {
	*searcher
	count   bool  // write the number of keys that each pair shares
	room    int64 // bytes of entries to hold
	held    int64
	buckets map[uint64]*hotBucket

	cut     int64  // number of lookups that were limited
	example []byte // id of the first old signature of the first of these buckets
}

// A hotBucket has the first entries of a bucket.
type hotBucket struct {
	fresh int             // number of new signatures looked up
	heads []keyfile.Entry // representatives, sorted by digest; nil if they must be read again
}

// write writes the lines of an answer.
func (h *hotBuckets) write(out *bufio.Writer, a *answer) error {
	written := 0
	for _, p := range a.hot {
		out.Write(a.text[written:p.at])
		written = p.at
		for _, k := range p.keys {
			heads, err := h.find(k)
			if err != nil {
				return err
			}
			p.all = append(p.all, heads...)
		}
		if _, err := out.Write(h.appendPairs(nil, p.id, p.all, h.count)); err != nil {
			return err
		}
	}
	_, err := out.Write(a.text[written:])
	return err
}

// find returns the old entries with which the next signature that has the key is paired.
func (h *hotBuckets) find(k lsh.Key) ([]keyfile.Entry, error) {
	b := h.buckets[k.Bucket]
	if b == nil {
		b = new(hotBucket)
		h.buckets[k.Bucket] = b
	}
	b.fresh++
	reach := h.pairing.Reach(b.fresh)
	if b.heads == nil {
		found, err := h.findBucket(k.Bucket, reach)
		if err != nil {
			return nil, err
		}
		b.heads, _ = representatives(found, h.pairing.All)
		h.hold(b)
	}
	end, digests, equal := 0, 0, false
	for ; end < len(b.heads); end++ {
		if end == 0 || b.heads[end].Digest != b.heads[end-1].Digest {
			if digests++; digests > reach {
				break
			}
		}
		equal = equal || b.heads[end].Digest == k.Digest
	}
	heads := b.heads[:end:end]
	if digests <= reach {
		return heads, nil
	}
	if h.cut++; h.cut == 1 {
		h.example = heads[0].ID
	}
	if equal {
		return heads, nil
	}
	same, err := h.findEqual(k)
	return append(heads, same...), err
}

// hold adds the entries of a bucket to h.held, and releases those of the others if there is no more
// room.
func (h *hotBuckets) hold(b *hotBucket) {
	size := int64(0)
	for _, e := range b.heads {
		size += entrySize + int64(len(e.ID))
	}
	if h.held += size; h.held > h.room {
		for _, other := range h.buckets {
			if other != b {
				other.heads = nil
			}
		}
		h.held = size
	}
}

// entrySize is the memory that an entry takes in addition to its id, rounded up.
const entrySize = 48

// report prints a note if signatures were paired with a part of a bucket only.
func (h *hotBuckets) report(e *tool.Env) {
	if h.cut == 0 {
		return
	}
	e.Note("%s in hot buckets of --against limited to a part of the bucket, for example in that of %s", msg.Number(h.cut, "lookup"), h.example)
	e.Note("hint: new records are paired with equal ones and with some others of a hot bucket, so some duplicates may be missed; --hot N raises their number to N*N/2 for each bucket")
}
