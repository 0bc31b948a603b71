package tool

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"
)

// questions are the flags that a tool answers itself, without running.
type questions struct{ help, version, flags bool }

// flagSet returns the flags of a command, and those that answer.
func (c *Command) flagSet(a *questions) *pflag.FlagSet {
	fs := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SortFlags = false
	c.Options.Flags(fs)
	fs.BoolVarP(&a.help, "help", "h", false, "print this help and exit")
	fs.BoolVar(&a.version, "version", false, "print the version and exit")
	fs.BoolVar(&a.flags, "flags", false, "print the flags as a table and exit")
	fs.Lookup("flags").Hidden = true
	return fs
}

// answer returns what --help, --version or --flags asks for.
func (c *Command) answer(a questions, fs *pflag.FlagSet) (text string, ok bool) {
	switch {
	case a.help:
		return help(c, fs), true
	case a.version:
		return c.Name + " " + cmp.Or(Built(), devel) + "\n", true
	case a.flags:
		return flagTable(fs), true
	}
	return "", false
}

func help(c *Command, fs *pflag.FlagSet) string {
	usage := strings.TrimRight("usage: "+c.Name+" [options] "+c.Usage, " ")
	epilog := c.Epilog
	if epilog != "" {
		epilog = "\n" + epilog
	}
	page := strings.ReplaceAll(c.Name, " ", "-")
	showDefaults(fs)
	flags := quotedDefault.ReplaceAllString(fs.FlagUsages(), "(default $1)")
	return fmt.Sprintf("%s\n%s\n\n%s%s\nSee %s(1).\n", usage, c.Summary, flags, epilog, page)
}

// quotedDefault finds the defaults that are words, which pflag quotes: nobody types
// the quotes.
var quotedDefault = regexp.MustCompile(`(?m)\(default "([^"\n]*)"\)$`)

// showDefaults changes the defaults to what help shows of them: elements without
// brackets, and nothing where the default is that a flag is not given.
func showDefaults(fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) {
		if list, ok := f.Value.(pflag.SliceValue); ok && len(list.GetSlice()) > 0 {
			f.DefValue = strings.Join(list.GetSlice(), ",")
		}
		if f.DefValue == "-1" {
			f.DefValue = "0" // which pflag does not show
		}
	})
}

// flagTable lists every visible flag: long name, short name, argument, help,
// default.
func flagTable(fs *pflag.FlagSet) string {
	var b strings.Builder
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		arg, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", f.Name, f.Shorthand, arg, usage, f.DefValue)
	})
	return b.String()
}

// Version is what a release is called; the linker sets it (-X). Where it does not,
// the module's version stands as the build recorded it.
var Version string

// devel is the version of a build that recorded none.
const devel = "(devel)"

// Built returns the version of this build: that of the release, or of the module as the
// build recorded it; "" if it recorded none.
func Built() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != devel {
		return info.Main.Version
	}
	return ""
}
