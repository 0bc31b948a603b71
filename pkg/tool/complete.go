package tool

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"doppel/pkg/record/dataform"
)

// completeArg, as the first argument, asks a tool for shell completions. The remaining arguments
// are the words typed so far; the last of them is the word to complete. The answer has one
// candidate per line. A candidate may be followed by a TAB and a description. The line ":files"
// tells the shell to complete file names. If suffixes follow ":files", only names with one of these
// suffixes are completed. The line ":dirs" tells the shell to complete directory names.
const completeArg = "--complete"

// complete returns the completions of the last of the typed words, in the format described at
// completeArg.
func (c *Command) complete(fs *pflag.FlagSet, typed []string) string {
	words := []string{"", ""} // two empty words, so that a previous word always exists
	for i, w := range typed { // bash splits --flag=value at "=", so join the pieces
		last := &words[len(words)-1]
		switch {
		case w == "=" && strings.HasPrefix(*last, "--"):
			*last += "="
		case i > 0 && typed[i-1] == "=":
			*last += w
		default:
			words = append(words, w)
		}
	}
	if len(typed) == 0 {
		words = append(words, "")
	}
	before, begun := words[len(words)-2], words[len(words)-1]
	operands := slices.Contains(words[:len(words)-1], "--")

	var wanting *pflag.Flag // flag named by the previous word, or nil
	switch {
	case operands:
	case strings.HasPrefix(before, "--") && len(before) > 2:
		wanting = fs.Lookup(before[2:])
	case len(before) > 1 && before[0] == '-' && before[1] != '-':
		wanting = fs.ShorthandLookup(before[len(before)-1:])
	}
	name, value, assigned := strings.Cut(begun, "=")
	switch {
	case wanting != nil && wanting.NoOptDefVal == "":
		return valuesOf(wanting, begun, "")
	case operands:
	case assigned && strings.HasPrefix(name, "--") && fs.Lookup(name[2:]) != nil:
		return valuesOf(fs.Lookup(name[2:]), value, name+"=")
	case strings.HasPrefix(begun, "-"):
		var b strings.Builder
		fs.VisitAll(func(f *pflag.Flag) {
			if _, usage := pflag.UnquoteUsage(f); !f.Hidden && strings.HasPrefix("--"+f.Name, begun) {
				b.WriteString("--" + f.Name + "\t" + usage + "\n")
			}
		})
		return b.String()
	}
	switch words := alternatives().FindString(c.Usage); { // the operands
	case words != "":
		return candidates(strings.Split(words, "|"), begun, "")
	case strings.Contains(c.Usage, "|DIR"):
		return ":files\n"
	case strings.Contains(c.Usage, "DIR"):
		return ":dirs\n"
	case strings.Contains(c.Usage, "FILE") && fs.Lookup("max-record") != nil:
		return dataFiles()
	case c.Usage != "":
		return ":files\n"
	}
	return ""
}

// alternatives matches a usage that lists the permitted values of an operand, as in bash|zsh|fish.
var alternatives = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z]+(\|[a-z]+)+$`) })

// dataFiles returns the line that tells the shell to complete the names of datasets.
func dataFiles() string { return ":files " + strings.Join(dataform.Suffixes(), " ") + "\n" }

// valuesOf returns the completions of the string begun, with which a value of the flag f begins. It
// puts prefix in front of each value.
func valuesOf(f *pflag.Flag, begun, prefix string) string {
	arg, usage := pflag.UnquoteUsage(f)
	values := listedValues(f.Name, f.NoOptDefVal, arg, usage)
	if list, ok := f.Value.(pflag.SliceValue); ok && list != nil {
		if comma := strings.LastIndexByte(begun, ','); comma >= 0 {
			prefix, begun = prefix+begun[:comma+1], begun[comma+1:]
		}
	}
	switch {
	case len(values) > 0:
		return candidates(values, begun, prefix)
	case f.Name == "config":
		return ":files .yaml .yml .toml\n"
	case f.Name == "records" || f.Name == "against":
		return dataFiles()
	case arg == "FILE" || arg == "LIST" || arg == "OLD":
		return ":files\n"
	case arg == "DIR":
		return ":dirs\n"
	}
	return ""
}

func candidates(words []string, begun, prefix string) string {
	var b strings.Builder
	for _, w := range words {
		if strings.HasPrefix(w, begun) {
			b.WriteString(prefix + w + "\n")
		}
	}
	return b.String()
}

// listedValues returns the values that a flag's help lists after its argument and a colon, as in
// "sign by METHOD: minhash, simhash or exact". The list ends at a semicolon or at the end of the
// help. Remarks in parentheses or after "for" are left out, and so are values that stand for others,
// such as wN or FIELD[:desc]. For a flag whose argument is optional, the help lists the values after
// the flag, as in "(--print=json or make)"; optional is the value without an argument.
func listedValues(name, optional, arg, usage string) (values []string) {
	var list string
	if _, after, found := strings.Cut(usage, "--"+name+"="); found && optional != "" {
		list, _, _ = strings.Cut(after, ")")
		list = optional + ", " + list
	} else if _, after, found := strings.Cut(remark().ReplaceAllString(usage, ""), arg); found && arg != "" {
		_, list, _ = strings.Cut(after, ": ")
		list, _, _ = strings.Cut(list, ";")
	}
	for _, v := range between().Split(list, -1) {
		v, _, _ = strings.Cut(v, " for ")
		switch {
		case oneValue().MatchString(v):
			values = append(values, v)
		case !placeholder().MatchString(v):
			return nil
		}
	}
	return values
}

var (
	between     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`, or |, | or `) })
	remark      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \([^)]*\)`) })
	oneValue    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z0-9][a-z0-9_.-]*|NFK?[CD])$`) })
	placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z]N|[A-Z]+(\[:[a-z]+\])?)$`) })
)
