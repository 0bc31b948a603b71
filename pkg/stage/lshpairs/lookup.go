package lshpairs

import (
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/signature"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// A lookup pairs signatures with the records of files of sorted keys, each by
// itself: the files are searched, not read, so that the time is that of the
// signatures, whatever the size of the files.
type lookup struct {
	e     *tool.Env
	opt   *options
	files []*lsh.KeyFile
}

// looked is what a batch of signatures gave.
type looked struct {
	text   []byte
	common []stages.CommonKey
}

// openKeys opens files of keys, or returns nil if none of them is one.
func openKeys(names []string) (files []*lsh.KeyFile, err error) {
	for _, name := range names {
		if name == "-" {
			continue
		}
		file, err := lsh.OpenKeyFile(name)
		if err != nil {
			return nil, err
		}
		if file != nil {
			files = append(files, file)
		}
	}
	if len(files) > 0 && len(files) < len(names) {
		return nil, fmt.Errorf("--against: both keys and signatures")
	}
	return files, nil
}

func lookUp(e *tool.Env, o *options, files []*lsh.KeyFile, names []string) error {
	l := &lookup{e, o, files}
	var guard signature.Guard
	common := map[string]stages.CommonKey{}
	err := stages.Signatures(e, &guard, names, l.newSearch, func(r *looked) error {
		for _, k := range r.common {
			common[k.Key] = k
		}
		_, err := e.Out.Write(r.text)
		return err
	})
	if err != nil {
		return err
	}
	var keys []stages.CommonKey
	for _, k := range common {
		keys = append(keys, k)
	}
	return stages.ReportCommon(e, o.sharing, o.bound(guard.Scheme), keys)
}

// newSearch returns the function that looks up one signature.
func (l *lookup) newSearch() func(*looked, signature.Line) error {
	keyer := lsh.Cached(l.opt.lsh)
	var finders []*lsh.Finder
	for _, f := range l.files {
		finders = append(finders, f.NewFinder())
	}
	var keys []lsh.Key
	return func(r *looked, line signature.Line) (err error) {
		if keys, err = keyer.Append(keys[:0], line); err != nil {
			return err
		}
		bound, all := l.opt.bound(string(line.Scheme)), []lsh.Found(nil)
		for _, k := range keys {
			found, err := find(finders, string(line.Scheme), k.Bucket, bound)
			if err != nil {
				return err
			}
			heads, n := l.opt.heads(found)
			if n > bound {
				r.common = append(r.common, stages.CommonKey{Key: lsh.FormatBucket(k.Bucket), Records: n, Example: tsv.Unescape(heads[0].ID)})
				continue
			}
			all = append(all, heads...)
		}
		r.text = l.opt.appendFound(r.text, l.e, all, line)
		return nil
	}
}

// find finds a bucket in all files.
func find(finders []*lsh.Finder, scheme string, bucket uint64, bound int) (found []lsh.Found, err error) {
	for _, f := range finders {
		if err = lsh.CheckKeys(scheme, f.Digest); err == nil {
			found, err = f.Find(found, bucket, bound)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	slices.SortStableFunc(found, func(a, b lsh.Found) int { return cmp.Compare(a.Digest, b.Digest) })
	return found, nil
}

// heads returns the entries that stand for all with the same digest, unless
// all are wanted, and the number of digests.
func (o *options) heads(found []lsh.Found) (heads []lsh.Found, digests int) {
	for i, f := range found {
		switch last := len(heads) - 1; {
		case i == 0 || f.Digest != found[i-1].Digest:
			digests++
			heads = append(heads, f)
		case o.pairing.All:
			heads = append(heads, f)
		case ids.Compare(f.ID, heads[last].ID) < 0:
			heads[last] = f
		}
	}
	return heads, digests
}

// appendFound appends the pairs of a signature with what was found, each once,
// in the order of ids.
func (o *options) appendFound(dst []byte, e *tool.Env, found []lsh.Found, line signature.Line) []byte {
	slices.SortFunc(found, func(a, b lsh.Found) int { return ids.Compare(a.ID, b.ID) })
	sharing := o.sharing
	sharing.Count = sharing.Count || lsh.IsSample(string(line.Scheme))
	enc := tsv.Encoder{Stream: sharing.Stream(), JSON: e.JSON}
	for n := 0; len(found) > 0; found = found[n:] {
		for n = 1; n < len(found) && string(found[n].ID) == string(found[0].ID); n++ {
		}
		enc.Begin(dst)
		enc.Column(found[0].ID)
		enc.Column(line.ID)
		if sharing.Count {
			enc.Int(int64(n))
		}
		dst = enc.End()
	}
	return dst
}
