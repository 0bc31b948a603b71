package tool

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
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
		return fmt.Sprintf("%s %s (%s)\n", c.Name, cmp.Or(Built(), devel), builtFrom()), true
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

// Version and Commit identify a release and are set by the linker (-X). If they are empty, Go's
// build information is used instead.
var Version, Commit string

// devel is the version that Go records for a build outside a release.
const devel = "(devel)"

// Built returns the version of the release. If the program is not a release, Built returns the
// module version that the build recorded, or "".
func Built() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != devel {
		return info.Main.Version
	}
	return ""
}

// builtFrom returns the commit, if known, the Go version and the platform, for bug reports.
func builtFrom() string {
	commit := Commit
	if info, ok := debug.ReadBuildInfo(); ok && commit == "" {
		for _, setting := range info.Settings {
			switch {
			case setting.Key == "vcs.revision":
				commit = setting.Value[:min(12, len(setting.Value))]
			case setting.Key == "vcs.modified" && setting.Value == "true":
				commit += "+changes"
			}
		}
	}
	built := runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
	if commit == "" {
		return built
	}
	return "commit " + commit + ", " + built
}
