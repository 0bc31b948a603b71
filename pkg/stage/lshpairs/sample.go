package lshpairs

import (
	"doppel/pkg/lsh"
	"doppel/pkg/stages"
)

// commonSample is the bound of --df for sampled fingerprints.
const commonSample = 100

// settle fills in what depends on the scheme. Of sampled fingerprints, of
// which a record has many, the number shared is the evidence, and those that
// are everywhere are none.
func (o *options) settle(scheme string) {
	if !lsh.IsSample(scheme) {
		return
	}
	o.sharing.Count = true
	if o.pairing.Common == 0 {
		o.pairing.Common = commonSample
	}
}

// bound is the number of different old signatures with a key above which the
// key is too common to be looked up.
func (o *options) bound(scheme string) int {
	switch {
	case o.pairing.Common > 0:
		return o.pairing.Common
	case lsh.IsSample(scheme):
		return commonSample
	}
	return o.pairing.Hot
}

// commonKeys returns the keys that too many records have.
func commonKeys(s lsh.Skipped, name func([]byte, uint32) []byte) (keys []stages.CommonKey) {
	for _, c := range s.Common {
		keys = append(keys, stages.CommonKey{Key: lsh.FormatBucket(c.Key), Records: c.Records, Example: name(nil, c.Example)})
	}
	return keys
}
