// Package method lists the ways to sign records: minhash, simhash, sample, exact and passage. Code
// that signs records, makes keys or compares signatures gets a scheme from this package and depends
// on no particular method. Each algorithm has a package of its own, which does not depend on this
// package or on the formats of records and lines.
//
// A scheme is one word that fixes everything that affects a signature, as in these examples:
//
//	minhash/h2/w3/128x16/s1/balanced
//	simhash/c2/city/64/none
//	sample/b50/p982451653/m2^64/c0:ff/none
//	exact/xxh3-128/text/none/field=title
//	passage/200/k50/none
//
// To add a method, add a file to this package and an entry to All. The file contains a type that
// implements Scheme, and two functions that return a value of that type: one makes it from
// settings, the other parses a scheme's word. The method's own settings are fields of [Settings].
package method

import (
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method/field"
	"doppel/pkg/msg"
)

// A Scheme is a way to sign records. Its String method returns the scheme as one word, which Parse
// accepts.
type Scheme interface {
	fmt.Stringer
	// Signer returns a signer of texts. It fails only if a parsed scheme lacks its secret key.
	Signer() (Signer, error)
	// Keyer returns a keyer for signatures of this scheme.
	Keyer(o lsh.Options) (Keyer, error)
	// Comparer returns a comparer that estimates a measure, or an error if signatures of this scheme
	// do not support the measure.
	Comparer(m Measure) (Comparer, error)
}

// A Signer signs texts. Each goroutine needs its own.
type Signer interface {
	// Append appends the signature of a text to dst, or schemes.Empty if there is nothing to
	// sign. For a text with several fields, the last argument contains the end offset of each
	// field.
	Append(dst, text []byte, ends []int) []byte
}

// A Salter is a Signer that signs equal texts differently if a value of their records differs, such
// as the language. If a Signer is not a Salter, the caller stores the value's hash beside the
// signature instead.
type Salter interface {
	Signer
	// Salt sets the value for the following texts, which is used until the next call. Texts signed
	// before the first call have no value.
	Salt(value []byte)
}

// A Method is a family of schemes, such as minhash, that differ only in their settings.
type Method struct {
	Name     string
	Settings []string // names of the flags that apply to the method
	Keying   []string // names of those flags of lshkeys and lshpairs that affect its keys

	Valued bool // signatures can include a value of the record: --within and --across
	Passes bool // the method divides each text into passages itself, so --split does not apply
	Equal  bool // a key is the whole signature, so a few pairs connect all records that share one

	// Counted is true if a record has many keys, so that only the number of keys that two records
	// share is evidence of similarity. Very frequent keys are then ignored.
	Counted bool

	// New makes a scheme from settings. It returns an error if the settings are invalid.
	New func(Settings, Source) (Scheme, error)

	// parse parses a scheme that [field.Cut] has split into rest and fields.
	parse func(rest, fields string) (Scheme, error)
}

// All contains all methods.
var All = []Method{
	{
		Name: "minhash", New: newMinhash, parse: parseMinhash,
		Settings: []string{"shingle", "normalize", "slots", "slot-bits", "seed", "key"},
		Keying:   []string{"threshold", "recall", "bands", "rows"},
		Valued:   true,
	},
	{
		Name: "simhash", New: newSimhash, parse: parseSimhash,
		Settings: []string{"shingle", "normalize", "bits", "hash", "unicode", "zero", "verbose"},
		Keying:   []string{"within"},
	},
	{
		Name: "sample", New: newSample, parse: parseSample, Counted: true,
		Settings: []string{"normalize", "window", "prime", "modulus", "criterion", "winnow", "raw"},
	},
	{
		Name: "exact", New: newExact, parse: parseExact,
		Settings: []string{"normalize", "whole", "key"},
		Valued:   true, Equal: true,
	},
	{
		Name: "passage", New: newPassage, parse: parsePassage,
		Settings: []string{"normalize", "length"},
		Passes:   true,
	},
}

// Names returns the names of all methods.
func Names() (names []string) {
	for _, m := range All {
		names = append(names, m.Name)
	}
	return names
}

// Named returns the method with the given name, or an error if there is none.
func Named(name string) (*Method, error) {
	if i := slices.Index(Names(), name); i >= 0 {
		return &All[i], nil
	}
	return nil, fmt.Errorf("invalid method %q: want %s", name, msg.Or(Names()))
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

// With returns the names of the methods that have the given setting.
func With(setting string) (names []string) {
	for _, m := range All {
		if slices.Contains(m.Settings, setting) {
			names = append(names, m.Name)
		}
	}
	return names
}

func methodOf(scheme string) (*Method, error) {
	m, err := Named(schemes.Method(scheme))
	if err != nil {
		return nil, fmt.Errorf("scheme %q: %w", scheme, err)
	}
	return m, nil
}

// Of returns the method of a scheme, or a Method without a name if there is none.
func Of(scheme string) Method {
	if m, err := methodOf(scheme); err == nil {
		return *m
	}
	return Method{}
}

// Valued returns the names of the methods whose signatures can include a value.
func Valued() (names []string) {
	for _, m := range All {
		if m.Valued {
			names = append(names, m.Name)
		}
	}
	return names
}

// IdleKeying returns the flags that affect only the keys of other methods.
func (m Method) IdleKeying() (names []string) {
	for _, other := range All {
		for _, name := range other.Keying {
			if !slices.Contains(m.Keying, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Parse parses the output of [Scheme].String.
func Parse(scheme string) (Scheme, error) {
	m, err := methodOf(scheme)
	if err != nil {
		return nil, err
	}
	rest, fields, err := field.Cut(scheme)
	if err != nil {
		return nil, err
	}
	return m.parse(rest, fields)
}

// A Measure is a way to compare two texts.
type Measure int

// The measures.
const (
	Similarity  Measure = iota // the Jaccard similarity of the two sets
	Containment                // the fraction of the smaller set that is in the other set
)

func (m Measure) String() string { return [...]string{"similarity", "containment"}[m] }

// A Comparer compares signatures of one scheme. Several goroutines may use it concurrently.
type Comparer interface {
	// Decode decodes a signature's body. The result does not share memory with the argument.
	Decode(body []byte) (Comparand, error)
	// Compare estimates the measure from two decoded signatures.
	Compare(a, b Comparand) Estimate
}

// A Comparand is a signature decoded by its Comparer.
type Comparand any

// An Estimate is the result of comparing two signatures.
type Estimate struct {
	line.SampleScore      // Pair is never set; if Interval is false, only Score is set
	Interval         bool // true if the sizes and the confidence interval from Low to High are set
	Equal            bool // true if the texts are equal, unless hashes collide
}

func scored(score float64, equal bool) Estimate {
	return Estimate{SampleScore: line.SampleScore{Score: score}, Equal: equal}
}

// noEstimate returns the error for a scheme that does not support a measure.
func noEstimate(s Scheme, m Measure) error {
	return fmt.Errorf("signatures of scheme %q cannot estimate %v", s, m)
}
