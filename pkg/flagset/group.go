package flagset

import (
	"slices"
	"strconv"

	"github.com/spf13/pflag"
)

// A Group is the title of a group of flags. Help texts and manual pages list the flags by group.
type Group string

// The groups, in the order of help texts and pages.
const (
	Duplicates Group = "What is a duplicate"
	Matches    Group = "What is a match"
	Signatures Group = "Signatures and pairs"
	Hashes     Group = "What is hashed"
	Rules      Group = "Rules and languages"
	Kept       Group = "Which copy stays"
	Actions    Group = "What is done with the copies"
	Collection Group = "What is done with the collection"
	Input      Group = "Input"
	Output     Group = "Output"
	Evidence   Group = "Evidence"
	Machines   Group = "Printing or planning the run"
	Ignored    Group = "Accepted without effect"
	Resources  Group = "Resources and progress"
	Help       Group = "Help"
)

// Groups lists the groups in their order.
var Groups = []Group{Duplicates, Matches, Signatures, Hashes, Rules, Kept, Actions, Collection, Input, Output, Evidence, Machines, Ignored, Resources, Help}

// The annotations of a flag that Assign and AtLeast set.
const (
	groupKey = "group"
	leastKey = "least"
	wordsKey = "words"
)

// Assign puts the named flags into a group. A later call overrides an earlier one. Names that fs
// lacks are ignored, because a tool registers only some of the flags that tools share.
func Assign(fs *pflag.FlagSet, group Group, names ...string) {
	for _, name := range names {
		if fs.Lookup(name) != nil {
			fs.SetAnnotation(name, groupKey, []string{string(group)})
		}
	}
}

// GroupOf returns the group of a flag, or "" if the flag is not in a group.
func GroupOf(f *pflag.Flag) Group {
	if title := f.Annotations[groupKey]; len(title) > 0 {
		return Group(title[0])
	}
	return ""
}

// NameValues declares the words that a flag accepts besides other values, each as WORD=KIND. The
// table of --flags lists them, for programs that must tell the words from other values.
func NameValues(fs *pflag.FlagSet, name string, words ...string) {
	fs.SetAnnotation(name, wordsKey, words)
}

// NamedValues returns the words that NameValues declared for a flag.
func NamedValues(f *pflag.Flag) []string { return f.Annotations[wordsKey] }

// AtLeast declares the least valid value of numeric flags. Without it, the least value is 0.
func AtLeast(fs *pflag.FlagSet, least int, names ...string) {
	for _, name := range names {
		fs.SetAnnotation(name, leastKey, []string{strconv.Itoa(least)})
	}
}

// LeastOf returns the least valid value of a flag; ok is false if the flag is not numeric.
func LeastOf(f *pflag.Flag) (least int, ok bool) {
	if !slices.Contains([]string{"int", "int64", "float64"}, f.Value.Type()) {
		return 0, false
	}
	if declared := f.Annotations[leastKey]; len(declared) > 0 {
		least, _ = strconv.Atoi(declared[0])
	}
	return least, true
}
