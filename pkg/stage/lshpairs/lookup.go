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

// Files of sorted keys are searched, not read, so the time depends on the signatures, not
// on the size of the files.

// An answer is the result of a batch of signatures.
type answer struct {
	text   []byte
	common []line.Common
}

// lookUp writes the pairs of each signature separately.
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

// mostListed limits the listed keys if none are too common.
const mostListed = 1000

// withDefaults fills in the defaults of the scheme. Records have many sampled fingerprints,
// so the number that two records share is the evidence, and ubiquitous ones do not count.
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

// maxDigests is the number of different old signatures with a key above which the key is too
// common to be looked up.
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

// Take appends the pairs of a signature.
func (w *searcher) Take(a *answer, s line.Signature) (err error) {
	if w.keys, err = w.keyer.Append(w.keys[:0], s); err != nil {
		return err
	}
	var all []keyfile.Entry // of buckets that are not too common: their representatives
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
	for n := 0; len(all) > 0; all = all[n:] { // each id once
		for n = 1; n < len(all) && string(all[n].ID) == string(all[0].ID); n++ {
		}
		a.text = form.Append(a.text, line.Pair{A: all[0].ID, B: s.ID}, n)
	}
	return nil
}

// findBucket finds a bucket in all files.
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

// representatives returns one entry for each digest, or all entries if all is set, and the
// number of digests.
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
