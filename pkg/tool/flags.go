package tool

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/tool/version"
)

// flagSet returns the flags of a command, including --help, --version and the like.
func (c *Command) flagSet() *pflag.FlagSet {
	fs := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SortFlags = false
	c.Options.Flags(fs)
	fs.BoolP("help", "h", false, "print all options, or with -h the most useful ones, and exit")
	fs.Bool("version", false, "print the version and exit")
	fs.Bool("flags", false, "print the flags as a table and exit")
	fs.Lookup("flags").Hidden = true
	flagset.Assign(fs, flagset.Help, "help", "version")
	return fs
}

// answer returns the text that --help, --version or --flags prints. asked reports whether one of
// them was given. typed is the command as the user typed it, and brief means -h instead of --help.
func (c *Command) answer(fs *pflag.FlagSet, typed string, brief bool) (text string, asked bool) {
	is := func(flag string) bool { return fs.Lookup(flag).Value.String() == "true" }
	switch {
	case is("help"):
		return c.help(fs, typed, brief), true
	case is("version"):
		return fmt.Sprintf("%s %s (%s)\n", c.Name, version.Named(), version.From()), true
	case is("flags"): // one line per flag: long name, short name, argument, help, default, and any named values
		var b strings.Builder
		fs.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				arg, usage := pflag.UnquoteUsage(f)
				columns := append([]string{f.Name, f.Shorthand, arg, usage, f.DefValue}, flagset.NamedValues(f)...)
				b.WriteString(strings.Join(columns, "\t") + "\n")
			}
		})
		return b.String(), true
	}
	return "", false
}
