package recsieve

import (
	"fmt"

	"doppel/pkg/collection"
	"doppel/pkg/digest"
	"doppel/pkg/lsh"
	"doppel/pkg/method/field"
	"doppel/pkg/minhash"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
)

// Collections returns the directories of the collections, which need not exist.
func (o *Options) Collections() []string { return o.Collection.Dirs(o.Against, o.Save) }

// Adopt takes the options that say which records are similar from the collection that the records
// are compared with, if there is one. It returns an error if an option that was given differs.
// A command calls Adopt before the stage does, so another run may create the collection in between; to
// a stage, all options count as given, but bands and rows of 0 never do.
func (o *Options) Adopt(given func(flag string) bool) error {
	against, _, err := o.Collection.Places(o.Against, o.Save)
	if err != nil || against == "" {
		return err
	}
	have, err := option.SchemeOf(against, toolName)
	if err != nil {
		return err
	}
	s, err := minhash.ParseScheme(have.Signature)
	if err != nil {
		return fmt.Errorf("%s: %w", against, err)
	}
	if err := option.CheckKey(o.Text.Key, against, s.Key, s.Key != ""); err != nil {
		return err
	}
	_, wanted, err := o.scheme()
	if err != nil {
		return err
	}
	bands := lsh.Bands{B: have.Bands, R: have.Rows}
	for _, x := range []struct {
		flag       string
		value, had any
		same       bool
	}{
		{"threshold", o.Keys.Threshold, have.Threshold, o.Keys.Threshold == have.Threshold},
		{"shingle", &o.Text.Shingle, &s.Text.Shingle, o.Text.Shingle == s.Text.Shingle},
		{"normalize", &o.Text.Normalize, &s.Text.Normalize, o.Text.Normalize == s.Text.Normalize},
		{"slots", o.Slots, s.Slots, o.Slots == s.Slots},
		{"slot-bits", o.SlotBits, s.Bits, o.SlotBits == s.Bits},
		{"seed", o.Seed, s.Seed, o.Seed == s.Seed},
		{"hot", o.Hot, have.Hot, o.Hot == have.Hot},
		{"bands", o.Keys.Bands.B, have.Bands, o.Keys.Bands.B == 0 || o.Keys.Bands.B == have.Bands},
		{"rows", o.Keys.Bands.R, have.Rows, o.Keys.Bands.R == 0 || o.Keys.Bands.R == have.Rows},
		{"recall", o.Keys.Recall, bands, wanted == bands},
	} {
		if given(x.flag) && !x.same {
			return tool.UsageError("--%s %v: the collection %s has %v", x.flag, x.value, against, x.had)
		}
	}
	if err := o.Collection.AdoptEstimate(given("estimate"), against, have); err != nil {
		return err
	}
	o.Keys.Threshold, o.Keys.Bands, o.Hot = have.Threshold, bands, have.Hot
	if fields := field.Split(have.Field); len(fields) > 0 && !given("field") && !o.Records.Lines {
		o.Records.Fields = fields
	}
	o.Text.Options, o.Slots, o.SlotBits, o.Seed = s.Text, s.Slots, s.Bits, s.Seed
	return nil
}

// toolName is the name of the command whose collections this program reads and writes.
const toolName = "fuzzy"

// collectionScheme returns the scheme of the collection that this run adds to.
func (r *run) collectionScheme() (collection.Scheme, error) {
	s, fields := r.how.Scheme, ""
	if r.how.Key != nil {
		h, err := digest.Keyed(r.how.Key)
		if err != nil {
			return collection.Scheme{}, err
		}
		s.Key = h.Check()
	}
	if !r.opt.Records.Lines {
		fields = field.Join(r.opt.Records.Fields)
	}
	scheme := collection.Scheme{
		Tool: toolName, Signature: s.String(), Threshold: r.how.Threshold,
		Bands: r.how.Bands.B, Rows: r.how.Bands.R, Hot: r.how.Hot, BucketBits: bucketBits, Field: fields,
	}
	if r.opt.Collection.Estimate {
		codec := minhash.Codec{K: s.Slots, B: s.Bits}
		scheme.SignatureBytes = codec.RawSize()
	}
	return scheme, nil
}
