package lshpairs

import (
	"doppel/pkg/method"
	"doppel/pkg/stage/option"
)

// commonSample is the bound of --df for sampled fingerprints.
const commonSample = 100

// mostListed is how many keys are listed where none are too common.
const mostListed = 1000

// settled fills in what depends on the scheme. Of sampled fingerprints, of which a
// record has many, the number shared is the evidence, and those that are
// everywhere are none.
func settled(p option.Pairing, scheme string) option.Pairing {
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

// bound is the number of different old signatures with a key above which the
// key is too common to be looked up.
func bound(p option.Pairing, scheme string) int {
	if p = settled(p, scheme); p.Common > 0 {
		return p.Common
	}
	return p.Hot
}
