package recsieve

import (
	"fmt"

	"doppel/pkg/collection"
	"doppel/pkg/digest"
	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	"doppel/pkg/msg"
	"doppel/pkg/tool"
)

// Adopt takes the options that say which records are similar from the collection that the records
// are compared with, if there is one. It returns an error if an option that was given differs.
func (o *Options) Adopt(given func(flag string) bool) error {
	against, _, err := o.Collection.Places(o.Against, o.Save)
	if err != nil || against == "" {
		return err
	}
	c, err := collection.Open(against)
	if err != nil {
		return err
	}
	have := c.Scheme()
	if err := c.Close(); err != nil {
		return err
	}
	if have.Tool != toolName {
		return tool.UsageError("%s: a collection of doppel %s, not of doppel %s", against, have.Tool, toolName)
	}
	s, err := minhash.ParseScheme(have.Signature)
	if err != nil {
		return fmt.Errorf("%s: %w", against, err)
	}
	if err := o.checkKey(against, s.Key); err != nil {
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
		{"bands", o.Keys.Bands.B, have.Bands, o.Keys.Bands.B == have.Bands},
		{"rows", o.Keys.Bands.R, have.Rows, o.Keys.Bands.R == have.Rows},
		{"recall", o.Keys.Recall, bands, wanted == bands},
	} {
		if given(x.flag) && !x.same {
			return tool.UsageError("--%s %v: the collection %s has %v", x.flag, x.value, against, x.had)
		}
	}
	o.Keys.Threshold, o.Keys.Bands, o.Hot = have.Threshold, bands, have.Hot
	o.Text.Options, o.Slots, o.SlotBits, o.Seed = s.Text, s.Slots, s.Bits, s.Seed
	return nil
}

// toolName is the name of the command whose collections this program reads and writes.
const toolName = "fuzzy"

// checkKey returns an error if the file of --key does not have the key with the given check value.
func (o *Options) checkKey(against, check string) error {
	key, err := digest.ReadKey(o.Text.Key)
	if err != nil {
		return err
	}
	own, err := keyCheck(key)
	switch {
	case err != nil:
		return err
	case own == check:
		return nil
	case own == "":
		return msg.WithHint(tool.UsageError("%s: the hashes of the collection have a key", against), "give the file of the key with --key")
	}
	return tool.UsageError("--key %s: not the key of the collection %s", o.Text.Key, against)
}

// keyCheck returns the check value of a key, which is empty without a key.
func keyCheck(key []byte) (string, error) {
	if key == nil {
		return "", nil
	}
	h, err := digest.Keyed(key)
	if err != nil {
		return "", err
	}
	return h.Check(), nil
}

// collectionScheme returns the scheme of the collection that this run adds to.
func (r *run) collectionScheme() (collection.Scheme, error) {
	s := r.how.Scheme
	var err error
	s.Key, err = keyCheck(r.how.Key)
	return collection.Scheme{
		Tool: toolName, Signature: s.String(), Threshold: r.how.Threshold,
		Bands: r.how.Bands.B, Rows: r.how.Bands.R, Hot: r.how.Hot,
	}, err
}
