package tool

import (
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/record/dataform"
)

// completing is the first argument by which the scripts of the shells ask a tool
// how its arguments go on; the others are those typed so far, the last one begun.
// The answer is a line a candidate, with a TAB and what it means behind it if that
// is known. The line ":files" asks the shell for names of files, of those suffixes
// that follow, if any; ":dirs" for those of directories.
const completing = "--complete"

// complete returns the answer.
func (c *Command) complete(fs *pflag.FlagSet, typed []string) string {
	words := unsplit(typed)
	if len(words) == 0 {
		words = []string{""}
	}
	begun, before := words[len(words)-1], words[:len(words)-1]
	name, value, assigned := strings.Cut(begun, "=")
	switch f := wanting(fs, before); {
	case f != nil:
		return valuesOf(f, begun, "")
	case assigned && strings.HasPrefix(name, "--") && fs.Lookup(name[2:]) != nil:
		return valuesOf(fs.Lookup(name[2:]), value, name+"=")
	case strings.HasPrefix(begun, "-"):
		return flagsFrom(fs, begun)
	}
	return c.operands(fs, begun)
}

// unsplit joins what bash splits at "=".
func unsplit(words []string) (all []string) {
	for i, w := range words {
		n := len(all)
		switch {
		case w == "=" && n > 0 && strings.HasPrefix(all[n-1], "--"):
			all[n-1] += "="
		case i > 0 && words[i-1] == "=" && n > 0:
			all[n-1] += w
		default:
			all = append(all, w)
		}
	}
	return all
}

// wanting returns the flag whose argument comes next, or nil.
func wanting(fs *pflag.FlagSet, before []string) (f *pflag.Flag) {
	if len(before) == 0 {
		return nil
	}
	last := before[len(before)-1]
	switch {
	case strings.HasPrefix(last, "--") && len(last) > 2:
		f = fs.Lookup(last[2:])
	case len(last) > 1 && last[0] == '-' && last[1] != '-':
		f = fs.ShorthandLookup(last[len(last)-1:])
	}
	if f == nil || f.NoOptDefVal != "" {
		return nil
	}
	return f
}

// flagsFrom lists the flags that go on so.
func flagsFrom(fs *pflag.FlagSet, begun string) string {
	var b strings.Builder
	fs.VisitAll(func(f *pflag.Flag) {
		if _, usage := pflag.UnquoteUsage(f); !f.Hidden && strings.HasPrefix("--"+f.Name, begun) {
			b.WriteString("--" + f.Name + "\t" + usage + "\n")
		}
	})
	return b.String()
}

// operands says what the operands are.
func (c *Command) operands(fs *pflag.FlagSet, begun string) string {
	switch words := alternatives.FindString(c.Usage); {
	case words != "":
		return candidates(strings.Split(words, "|"), begun, "")
	case strings.Contains(c.Usage, "DIR"):
		return ":dirs\n"
	case strings.Contains(c.Usage, "FILE") && fs.Lookup("max-record") != nil:
		return dataFiles()
	case c.Usage != "":
		return ":files\n"
	}
	return ""
}

// alternatives are words of which an operand is one, as in bash|zsh|fish.
var alternatives = regexp.MustCompile(`^[a-z]+(\|[a-z]+)+$`)

// dataFiles asks for the files that datasets are in.
func dataFiles() string { return ":files " + strings.Join(dataform.Suffixes(), " ") + "\n" }

// valuesOf lists the values of a flag that go on so, each behind a prefix.
func valuesOf(f *pflag.Flag, begun, prefix string) string {
	arg, usage := pflag.UnquoteUsage(f)
	values := listed(arg, usage)
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

// listed returns the values that a flag's help lists: behind its argument and a
// colon, as in "sign by METHOD: minhash, simhash or exact", up to a semicolon. Help
// and completion so have one source.
func listed(arg, usage string) []string {
	_, list, found := strings.Cut(usage, arg+": ")
	if !found || arg == "" {
		return nil
	}
	list, _, _ = strings.Cut(list, ";")
	list = remark.ReplaceAllString(list, "")
	values := strings.Split(strings.ReplaceAll(list, " or ", ", "), ", ")
	for _, v := range values {
		if !oneValue.MatchString(v) {
			return nil
		}
	}
	return values
}

var (
	remark   = regexp.MustCompile(` \([^)]*\)`)
	oneValue = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)
)
