// Package method is the ways to sign records: minhash, simhash, sample, exact
// and passage.
// What signs, what makes keys and what compares ask for a scheme here, and know
// none of them by name. The algorithms are in packages of their own, which know
// nothing of records, lines and keys.
//
// A scheme is one word that fixes all that changes a signature:
//
//	minhash/h2/w3/128x16/s1/balanced
//	simhash/c2/city/64/none
//	sample/b50/p982451653/m2^64/c0:ff/none
//	exact/xxh3-128/text/none/field=title
//	passage/200/k50/none
//
// A further method is one more entry in the table, and a file beside those here:
// a type that is a Scheme, and what makes it of settings and of a word. Its own
// settings are fields of [Settings].
package method

import (
	"fmt"
	"slices"
	"strings"

	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method/field"
)

// A Scheme is how some records were signed. Its string is one word.
type Scheme interface {
	fmt.Stringer
	// Signer returns what signs texts. The one error is that a scheme that was
	// parsed does not hold its secret key.
	Signer() (Signer, error)
	// Keyer returns what makes keys of signatures.
	Keyer(o lsh.Options) (Keyer, error)
	// Comparer returns what estimates a measure, or an error if these signatures do
	// not tell it.
	Comparer(m Measure) (Comparer, error)
}

// A Signer signs texts. Each goroutine needs its own.
type Signer interface {
	// Append appends the signature of a text to dst, schemes.Empty if there is nothing to
	// sign. Ends are those of its fields, if it has several.
	Append(dst, text []byte, ends []int) []byte
}

// A Salter is a Signer whose signatures of one text differ by a salt. Those of other signers
// have a value instead.
type Salter interface {
	Signer
	// Salt sets the salt of the texts that follow. Without a call there is none.
	Salt(salt digest.Sum)
}

// longBytes is from where on a text is signed in parts, so that neither what is made of
// its words nor a second text is held.
const longBytes = 1 << 18

// A Method is one of the ways to sign.
type Method struct {
	Name     string
	Settings []string // those it has, by the names of their flags

	// Counted says that a record has many keys, so that the number that two share is
	// the evidence, and a key that is everywhere is none.
	Counted bool

	// New makes a scheme of settings, or says which of them mean nothing.
	New func(Settings, Source) (Scheme, error)

	// parse reads a scheme that ends in a part that names its fields.
	parse func(rest, fields string) (Scheme, error)
}

// All are the methods.
var All = []Method{
	{
		Name: "minhash", New: newMinhash, parse: parseMinhash,
		Settings: []string{"shingle", "normalize", "slots", "slot-bits", "seed", "key"},
	},
	{
		Name: "simhash", New: newSimhash, parse: parseSimhash,
		Settings: []string{"shingle", "normalize", "bits", "hash", "unicode", "zero", "verbose"},
	},
	{
		Name: "sample", New: newSample, parse: parseSample, Counted: true,
		Settings: []string{"normalize", "window", "prime", "modulus", "criterion", "winnow", "raw"},
	},
	{
		Name: "exact", New: newExact, parse: parseExact,
		Settings: []string{"normalize", "whole", "key"},
	},
	{
		Name: "passage", New: newPassage, parse: parsePassage,
		Settings: []string{"normalize", "length"},
	},
}

// Named returns the method of a name.
func Named(name string) (*Method, error) {
	var names []string
	for i := range All {
		if All[i].Name == name {
			return &All[i], nil
		}
		names = append(names, All[i].Name)
	}
	return nil, fmt.Errorf("no method %q: want %s", name, strings.Join(names, ", "))
}

// Foreign returns the settings that only other methods have.
func (m *Method) Foreign() (all []string) {
	for _, other := range All {
		for _, s := range other.Settings {
			if !slices.Contains(m.Settings, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// With returns the names of the methods that have a setting: none if it is not one
// of methods.
func With(setting string) (names []string) {
	for _, m := range All {
		if slices.Contains(m.Settings, setting) {
			names = append(names, m.Name)
		}
	}
	return names
}

// of returns the method of a scheme.
func of(scheme string) (*Method, error) {
	m, err := Named(schemes.Method(scheme))
	if err != nil {
		return nil, fmt.Errorf("scheme %q: %w", scheme, err)
	}
	return m, nil
}

// Counted reports whether the number of keys that two records share is the
// evidence, for signatures of a scheme.
func Counted(scheme string) bool {
	m, err := of(scheme)
	return err == nil && m.Counted
}

// Parse reads a scheme.
func Parse(scheme string) (Scheme, error) {
	m, err := of(scheme)
	if err != nil {
		return nil, err
	}
	rest, fields, err := field.Cut(scheme)
	if err != nil {
		return nil, err
	}
	return m.parse(rest, fields)
}

// A Measure is what two texts are compared by.
type Measure int

// The measures.
const (
	Similarity  Measure = iota // Jaccard's, of the two sets
	Containment                // the larger share of one set that is in the other
)

func (m Measure) String() string { return [...]string{"similarity", "containment"}[m] }

// A Comparer compares signatures of one scheme. It may be used by several
// goroutines.
type Comparer interface {
	// Decode reads a signature. The result does not hold the memory of body.
	Decode(body []byte) (Comparand, error)
	// Compare estimates by what Decode returned for two signatures.
	Compare(a, b Comparand) Estimate
}

// A Comparand is a signature as its own Comparer compares it.
type Comparand any

// An Estimate is what two signatures tell.
type Estimate struct {
	line.SampleScore      // without a pair; only Score is set unless there is an interval
	Interval         bool // Low and High are limits of the score, and sizes are known
	Equal            bool // the texts are equal, as far as signatures can tell
}

func scored(score float64, equal bool) Estimate {
	return Estimate{SampleScore: line.SampleScore{Score: score}, Equal: equal}
}

// noEstimate is the error of a scheme that does not tell a measure.
func noEstimate(s Scheme, m Measure) error {
	return fmt.Errorf("scheme %q gives no estimate of %v", s, m)
}
