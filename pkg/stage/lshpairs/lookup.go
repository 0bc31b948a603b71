package lshpairs

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/lsh/keyfile"
	"doppel/pkg/method"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// An answer is the result of looking up a batch of signatures.
type answer struct {
	text   []byte        // pairs, as lines
	common []line.Common // keys ignored because too many signatures have them
	hot    []partial     // signatures with keys in hot buckets, whose lines are not in text
}

// A partial is the result of looking up a signature without its keys in hot buckets.
type partial struct {
	at   int // where its lines belong in the text of the answer
	id   []byte
	keys []lsh.Key // keys in hot buckets
	all  []keyfile.Entry
}

// lookUp looks signatures up in files of sorted keys, and writes the pairs of each signature. It
// searches the files instead of reading them, so the time depends on the number of signatures
// rather than on the size of the files.
func lookUp(e *tool.Env, o *Options, files []*keyfile.File, names []string) error {
	var guard schemes.Guard
	common := map[string]line.Common{}
	newSearcher := func() *searcher {
		s := &searcher{pairing: o.Pairing, keyer: method.NewAnyKeyer(o.Keys.Options), format: lineio.Format(e)}
		for _, file := range files {
			s.finders = append(s.finders, file.NewFinder())
		}
		return s
	}
	hot := hotBuckets{searcher: newSearcher(), room: int64(e.Mem), buckets: map[uint64]*hotBucket{}}
	begun := false
	err := lineio.Signatures(e, &guard, names, func() lineio.Worker[answer] { return newSearcher() }, func(a *answer) error {
		if !begun {
			begun = true
			if err := option.RefuseIdle(e, guard.Scheme); err != nil {
				return err
			}
			hot.count = withDefaults(o.Pairing, guard.Scheme).Count
			if err := (pairs.Layout{Count: hot.count}).Header(e); err != nil {
				return err
			}
		}
		for _, k := range a.common {
			common[string(k.Key)] = k
		}
		return hot.write(e.Out, a)
	})
	if err != nil {
		return err
	}
	hot.report(e)
	return pairs.ReportCommon(e, o.Pairing.List, withDefaults(o.Pairing, guard.Scheme).Common, slices.Collect(maps.Values(common)))
}

// commonSample is the default of --df for sampled fingerprints.
const commonSample = 100

// mostListed is the maximum number of keys that --common lists without --df.
const mostListed = 1000

// withDefaults returns p with the defaults for a scheme filled in. With sampled fingerprints, a
// record has many keys. Therefore the number of keys that two records share is written, and keys
// that very many records have are ignored.
func withDefaults(p option.Pairing, scheme string) option.Pairing {
	if method.Of(scheme).Counted {
		p.Count = true
		if p.Common == 0 {
			p.Common = commonSample
		}
	}
	if p.Common == 0 && p.List != "" {
		p.Most = mostListed
	}
	return p
}

// A searcher looks signatures up in files of keys.
type searcher struct {
	pairing option.Pairing
	keyer   *method.AnyKeyer
	finders []*keyfile.Finder
	format  line.Format
	keys    []lsh.Key
}

// Take looks a signature up and appends its pairs to the answer. If the signature has keys in hot
// buckets, it appends a partial result, because the order of the signatures decides how many pairs
// they have there.
func (w *searcher) Take(a *answer, s line.Signature) (err error) {
	if w.keys, err = w.keyer.Append(w.keys[:0], s); err != nil {
		return err
	}
	pairing := withDefaults(w.pairing, string(s.Scheme))
	var all []keyfile.Entry // representatives from the buckets that do not have too many digests
	var hot []lsh.Key
	for _, k := range w.keys {
		found, err := w.findBucket(k.Bucket, cmp.Or(pairing.Common, pairing.Hot))
		if err != nil {
			return err
		}
		heads, n := representatives(found, pairing.All)
		switch {
		case pairing.Common > 0 && n > pairing.Common:
			a.common = append(a.common, line.Common{Key: []byte(lsh.FormatBucket(k.Bucket)), Records: int64(n), Example: heads[0].ID})
			if heads, err = w.findEqual(k); err != nil {
				return err
			}
			all = append(all, heads...)
		case pairing.Common == 0 && n > pairing.Hot:
			hot = append(hot, k)
		default:
			all = append(all, heads...)
		}
	}
	if len(hot) > 0 {
		a.hot = append(a.hot, partial{len(a.text), bytes.Clone(s.ID), hot, all})
		return nil
	}
	a.text = w.appendPairs(a.text, s.ID, all, pairing.Count)
	return nil
}

// appendPairs appends the lines of the pairs of an id to dst, one for each id in old, which it
// sorts.
func (w *searcher) appendPairs(dst, id []byte, old []keyfile.Entry, count bool) []byte {
	form := pairs.Layout{Format: w.format, Count: count}
	slices.SortFunc(old, func(a, b keyfile.Entry) int { return ids.Compare(a.ID, b.ID) })
	for n := 0; len(old) > 0; old = old[n:] {
		for n = 1; n < len(old) && string(old[n].ID) == string(old[0].ID); n++ {
		}
		dst = form.Append(dst, line.Pair{A: old[0].ID, B: id}, n)
	}
	return dst
}

// findEqual returns the representatives of the entries in all files that have the given key.
func (w *searcher) findEqual(key lsh.Key) (heads []keyfile.Entry, err error) {
	for _, f := range w.finders {
		if heads, err = f.FindEqual(heads, key); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	heads, _ = representatives(heads, w.pairing.All)
	return heads, nil
}

// findBucket returns the entries of a bucket in all files, sorted by digest.
func (w *searcher) findBucket(bucket uint64, bound int) (found []keyfile.Entry, err error) {
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

// representatives returns, for each digest, the entry with the smallest id or, on request, all
// entries. It also returns the number of digests. The entries must be sorted by digest.
func representatives(found []keyfile.Entry, all bool) (heads []keyfile.Entry, digests int) {
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
