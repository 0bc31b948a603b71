package lshpairs

import (
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/lsh/keyfile"
	"doppel/pkg/method"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
)

// A searcher looks signatures up in files of keys.
type searcher struct {
	pairing option.Pairing
	keyer   *method.AnyKeyer
	finders []*keyfile.Finder
	format  line.Format
	keys    []lsh.Key
}

func newSearcher(files keyFiles, o *Options, f line.Format) *searcher {
	s := &searcher{pairing: o.Pairing, keyer: method.NewAnyKeyer(o.Keys.Options), format: f}
	for _, file := range files {
		s.finders = append(s.finders, file.NewFinder())
	}
	return s
}

// Take appends the pairs of a signature.
func (w *searcher) Take(a *answer, s line.Signature) (err error) {
	if w.keys, err = w.keyer.Append(w.keys[:0], s); err != nil {
		return err
	}
	var all []keyfile.Entry
	for _, k := range w.keys {
		found, err := w.look(a, string(s.Scheme), k.Bucket)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	form := pairs.Form{Format: w.format, Count: settled(w.pairing, string(s.Scheme)).Count}
	a.text = appendPairs(a.text, all, s.ID, form)
	return nil
}

// look returns the entries of a bucket that stand for all in it, or notes that too
// many have its key.
func (w *searcher) look(a *answer, scheme string, bucket uint64) ([]keyfile.Entry, error) {
	most := bound(w.pairing, scheme)
	found, err := w.find(bucket, most)
	heads, n := heads(found, w.pairing.All)
	if err != nil || n <= most {
		return heads, err
	}
	a.common = append(a.common, line.Common{Key: []byte(lsh.FormatBucket(bucket)), Records: int64(n), Example: heads[0].ID})
	return nil, nil
}

// find finds a bucket in all files.
func (w *searcher) find(bucket uint64, bound int) (found []keyfile.Entry, err error) {
	for _, f := range w.finders {
		if err = w.keyer.CheckDigest(f.Digest); err == nil {
			found, err = f.Find(found, bucket, bound)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	slices.SortStableFunc(found, func(a, b keyfile.Entry) int { return cmp.Compare(a.Digest, b.Digest) })
	return found, nil
}

// heads returns the entries that stand for all with the same digest, unless
// all are wanted, and the number of digests.
func heads(found []keyfile.Entry, all bool) (heads []keyfile.Entry, digests int) {
	for i, f := range found {
		switch last := len(heads) - 1; {
		case i == 0 || f.Digest != found[i-1].Digest:
			digests++
			heads = append(heads, f)
		case all:
			heads = append(heads, f)
		case ids.Compare(f.ID, heads[last].ID) < 0:
			heads[last] = f
		}
	}
	return heads, digests
}

// appendPairs appends the pairs of an id with what was found, each once, in the order
// of ids.
func appendPairs(dst []byte, found []keyfile.Entry, id []byte, f pairs.Form) []byte {
	slices.SortFunc(found, func(a, b keyfile.Entry) int { return ids.Compare(a.ID, b.ID) })
	for n := 0; len(found) > 0; found = found[n:] {
		for n = 1; n < len(found) && string(found[n].ID) == string(found[0].ID); n++ {
		}
		dst = f.Append(dst, line.Pair{A: found[0].ID, B: id}, n)
	}
	return dst
}
