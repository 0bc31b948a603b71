package recuniq

import (
	"cmp"
	"iter"
	"math"
	"strings"

	"doppel/pkg/collection"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/method/field"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/stage/option"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// toolName is the name of the command whose collections this program reads and writes.
const toolName = "exact"

// UsesCollection reports whether the run compares records with a collection, or adds hashes to one.
func (o *Options) UsesCollection() bool {
	return o.Collection.Index != "" || o.Against != "" && collection.Is(o.Against) || o.Save != "" && option.IsCollection(o.Save)
}

// adopts reports whether the run takes the options that say which records are copies from a
// collection.
func (o *Options) adopts() bool {
	against, _, err := o.Collection.Places(o.Against, o.Save)
	return err == nil && against != "" && collection.Is(against)
}

// Collections returns the directories of the collections, which need not exist.
func (o *Options) Collections() []string { return o.Collection.Dirs(o.Against, o.Save) }

// checkCollection rejects options that cannot be used together if the run uses a collection.
func (o *Options) checkCollection() error {
	if !o.UsesCollection() {
		return nil
	}
	for _, x := range [...]struct {
		flag  string
		given bool
	}{{"--split", o.Split != text.Unsplit}, {"--verify", o.Verify}} {
		if x.given {
			return o.Collection.Refuse(x.flag, o.Against != "")
		}
	}
	if _, _, err := o.Collection.Places(o.Against, o.Save); err != nil {
		return err
	}
	if o.Duplicates && (o.Collection.Index != "" || o.Save != "") {
		flag := "--save"
		if o.Save == "" {
			flag = "--index"
		}
		return msg.WithHint(tool.UsageError("--duplicates cannot be used with %s: the kept records would be in the collection, but in no output", flag), "give --against DIR")
	}
	return o.Collection.CheckBoth(o.Against, o.Save)
}

// Adopt takes the options that say which records are copies from the collection that the records are
// compared with, if there is one. It returns an error if an option that was given differs.
func (o *Options) Adopt(given func(flag string) bool) error {
	against, _, err := o.Collection.Places(o.Against, o.Save)
	if err != nil || against == "" || !o.UsesCollection() {
		return err
	}
	have, err := option.SchemeOf(against, toolName)
	if err != nil {
		return err
	}
	word, part, err := field.Cut(have.Signature)
	if err != nil {
		return err
	}
	s, err := exacthash.ParseScheme(word)
	if err != nil {
		return err
	}
	within := field.WithinOf(part)
	switch own := o.wholeRecords(); {
	case s.Whole && !own && o.Records.Lines:
		return tool.UsageError("--lines: the collection %s compares whole records", against)
	case s.Whole && !own:
		return tool.UsageError("--field %s: the collection %s compares whole records", strings.Join(o.Records.Fields, ","), against)
	case s.Whole && cmp.Or(o.Records.Missing, record.MissingError) != record.MissingError:
		return tool.UsageError("--missing %v: the collection %s compares whole records", &o.Records.Missing, against)
	case !s.Whole && own && have.Field == "":
		return msg.WithHint(tool.UsageError("%s: the collection compares the texts of records", against), "give --field or --lines")
	case given("within") && o.Records.Within != within:
		return tool.UsageError("--within %s: the collection %s has %s", o.Records.Within, against, cmp.Or(within, "none"))
	case given("normalize") && o.Normalize != s.Normalize:
		return tool.UsageError("--normalize %v: the collection %s has %v", &o.Normalize, against, &s.Normalize)
	case !s.Whole && own:
		o.Records.Fields = field.Split(have.Field)
	}
	o.Records.Within, o.Normalize = within, s.Normalize
	return option.CheckKey(o.Key, against, strings.TrimPrefix(s.Hash, "highway-128-"), s.Keyed())
}

// openCollections opens the collections that the options name.
func (u *uniq) openCollections() error {
	against, save, err := u.opt.Collection.Places(u.opt.Against, u.opt.Save)
	if err != nil {
		return err
	}
	u.e.Records.WithFilename, u.e.Records.IDAfterNUL = true, true // the ids of new records differ from those of old ones
	scheme := collection.Scheme{Tool: toolName, Signature: u.collected, BucketBits: 64, Rest: true}
	if !u.opt.Records.Lines {
		scheme.Field = field.Join(u.e.Records.Fields)
	}
	u.old, u.writer, err = u.opt.Collection.Open(u.e, against, save, scheme)
	if err == nil && u.old != nil && u.opt.Decisions == "" && u.opt.Removed == "" {
		u.sums = spill.NewSorter[[3]uint64](1<<partitionBits, int64(u.e.Mem)/8)
	}
	return err
}

// partitionBits is the number of leading bits of a hash that select a partition of uniq.sums.
const partitionBits = 10

// addSum adds the hash of a record that is not a later copy.
func (u *uniq) addSum(sum exacthash.Sum, ordinal int64) error {
	if ordinal > math.MaxUint32 {
		return tool.UsageError("more than %d records: compare them with the collection in several runs", uint32(math.MaxUint32))
	}
	return u.sums.Add(int(sum.Hi>>(64-partitionBits)), [3]uint64{sum.Hi, sum.Lo, uint64(ordinal)})
}

// matchOld finds out which first copies are in the collection.
func (u *uniq) matchOld() error {
	switch {
	case u.drops != nil:
		return u.drops.finish()
	case u.sums == nil:
		return nil
	}
	return u.old.Join(u.sortedSums(), 1, func(number uint32, _ int64) error {
		u.inOld.Add(int64(number))
		return nil
	})
}

// sortedSums returns the hashes of the first copies, and numbers for them, sorted.
func (u *uniq) sortedSums() iter.Seq2[collection.Key, error] {
	return func(yield func(collection.Key, error) bool) {
		stopped := false
		err := eachSum(u.sums, int64(u.e.Mem), func(x [3]uint64) (bool, error) {
			stopped = !yield(collection.Key{Bucket: x[0], Rest: x[1], Record: uint32(x[2])}, nil)
			return !stopped, nil
		})
		if err != nil && !stopped {
			yield(collection.Key{}, err)
		}
	}
}
