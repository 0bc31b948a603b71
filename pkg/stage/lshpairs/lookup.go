package lshpairs

import (
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
}

// lookUp looks signatures up in files of sorted keys, and writes the pairs of each signature. It
// searches the files instead of reading them, so the time depends on the number of signatures
// rather than on the size of the files.
func lookUp(e *tool.Env, o *Options, files []*keyfile.File, names []string) error {
	var guard schemes.Guard
	common := map[string]line.Common{}
	newWorker := func() lineio.Worker[answer] {
		s := &searcher{pairing: o.Pairing, keyer: method.NewAnyKeyer(o.Keys.Options), format: lineio.Format(e)}
		for _, file := range files {
			s.finders = append(s.finders, file.NewFinder())
		}
		return s
	}
	begun := false
	err := lineio.Signatures(e, &guard, names, newWorker, func(a *answer) error {
		if !begun {
			begun = true
			if err := option.RefuseIdle(e, guard.Scheme); err != nil {
				return err
			}
			if err := (pairs.Form{Count: withDefaults(o.Pairing, guard.Scheme).Count}).Header(e); err != nil {
				return err
			}
		}
		for _, k := range a.common {
			common[string(k.Key)] = k
		}
		_, err := e.Out.Write(a.text)
		return err
	})
	if err != nil {
		return err
	}
	return pairs.ReportCommon(e, o.Pairing.List, maxDigests(o.Pairing, guard.Scheme), slices.Collect(maps.Values(common)))
}

// commonSample is the default of --df for sampled fingerprints.
const commonSample = 100

// mostListed is the maximum number of keys that --common lists without --df.
const mostListed = 1000

// withDefaults returns p with the defaults for a scheme filled in. With sampled fingerprints, a
// record has many keys. Therefore the number of keys that two records share is written, and keys
// that very many records have are ignored.
func withDefaults(p option.Pairing, scheme string) option.Pairing {
	if method.Counted(scheme) {
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

// maxDigests returns the maximum number of different old signatures that may share a key. Keys that
// more signatures share are ignored as too common.
func maxDigests(p option.Pairing, scheme string) int {
	if p = withDefaults(p, scheme); p.Common > 0 {
		return p.Common
	}
	return p.Hot
}

// A searcher looks signatures up in files of keys.
type searcher struct {
	pairing option.Pairing
	keyer   *method.AnyKeyer
	finders []*keyfile.Finder
	format  line.Format
	keys    []lsh.Key
}

// Take looks a signature up and appends its pairs to the answer.
func (w *searcher) Take(a *answer, s line.Signature) (err error) {
	if w.keys, err = w.keyer.Append(w.keys[:0], s); err != nil {
		return err
	}
	var all []keyfile.Entry // representatives from the buckets that do not have too many digests
	most := maxDigests(w.pairing, string(s.Scheme))
	for _, k := range w.keys {
		found, err := w.findBucket(k.Bucket, most)
		if err != nil {
			return err
		}
		if heads, n := representatives(found, w.pairing.All); n <= most {
			all = append(all, heads...)
		} else {
			a.common = append(a.common, line.Common{Key: []byte(lsh.FormatBucket(k.Bucket)), Records: int64(n), Example: heads[0].ID})
		}
	}
	form := pairs.Form{Format: w.format, Count: withDefaults(w.pairing, string(s.Scheme)).Count}
	slices.SortFunc(all, func(a, b keyfile.Entry) int { return ids.Compare(a.ID, b.ID) })
	for n := 0; len(all) > 0; all = all[n:] { // write one pair for each id
		for n = 1; n < len(all) && string(all[n].ID) == string(all[0].ID); n++ {
		}
		a.text = form.Append(a.text, line.Pair{A: all[0].ID, B: s.ID}, n)
	}
	return nil
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
