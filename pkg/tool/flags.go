package tool

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"
)

// Shared names the shared flags that a tool honours. A flag that does nothing
// is a lie, so a tool shows only those.
type Shared uint

// The shared flags. They mean the same in every tool.
const (
	Jobs      Shared = 1 << iota // -j, --jobs
	KeepGoing                    // -k, --keep-going
	Null                         // -0, --null
	JSON                         // --json
	Output                       // -o, --output
	Records                      // --field (default text), --id, --lines, -H
	Whole                        // the same; without --field the text is the whole record
	IDs                          // --id, --lines, -H: records of which no text is read
	Watch                        // --progress, --no-progress
)

// flagSet returns the command's own flags and the shared ones that it honours.
func (e *Env) flagSet(c *Command) *pflag.FlagSet {
	fs := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SortFlags = false
	if c.Flags != nil {
		c.Flags(fs)
	}
	e.recordFlags(fs, c.Shared)
	e.sharedFlags(fs, c)
	fs.BoolVarP(&e.wantHelp, "help", "h", false, "print this help and exit")
	fs.BoolVar(&e.wantVersion, "version", false, "print the version and exit")
	fs.BoolVar(&e.wantFlags, "flags", false, "print the flags as a table and exit")
	fs.Lookup("flags").Hidden = true
	return fs
}

func (e *Env) recordFlags(fs *pflag.FlagSet, s Shared) {
	if s&Records != 0 {
		fs.StringSliceVar(&e.field, "field", []string{"text"}, "take the text from these `PATHS` of a record, as in meta.text")
	}
	if s&Whole != 0 {
		fs.StringSliceVar(&e.field, "field", nil, "take the text from these `PATHS` of a record instead of the whole record")
	}
	if s&(Records|Whole|IDs) != 0 {
		fs.StringVar(&e.Records.ID, "id", "", "take the id from this `PATH` of a record instead of counting")
		fs.BoolVar(&e.Records.Lines, "lines", false, "each line is a record, and its text")
		fs.BoolVarP(&e.Records.WithFilename, "with-filename", "H", false, "ids are file:ordinal")
	}
}

func (e *Env) sharedFlags(fs *pflag.FlagSet, c *Command) {
	if c.Shared&Null != 0 {
		fs.BoolVarP(&e.Null, "null", "0", false, "lines end in NUL, not in LF")
	}
	if c.Shared&JSON != 0 {
		fs.BoolVar(&e.JSON, "json", false, "write JSON objects instead of TSV")
	}
	if c.Mem != 0 {
		e.Mem = c.Mem
		fs.Var(&e.Mem, "mem", "hold at most `SIZE` in memory, and spill beyond")
	}
	if c.Shared&Jobs != 0 {
		fs.IntVarP(&e.Jobs, "jobs", "j", 0, "use `N` threads (0: one per core)")
	}
	if c.Shared&KeepGoing != 0 {
		fs.BoolVarP(&e.KeepGoing, "keep-going", "k", false, "report bad records and go on")
	}
	if c.Shared&Output != 0 {
		fs.StringVarP(&e.OutputName, "output", "o", "", "write to `FILE`, whole or not at all; .gz and .zst are compressed")
	}
	if c.Shared&Watch != 0 {
		fs.BoolVar(&e.forceProgress, "progress", false, "show progress even if stderr is no terminal")
		fs.BoolVar(&e.noProgress, "no-progress", false, "never show progress")
	}
}

// settle checks the shared flags and fills in what depends on the machine.
func (e *Env) settle() error {
	if e.Jobs < 0 {
		return UsageError("--jobs %d: want 0 or more", e.Jobs)
	}
	if e.Jobs == 0 {
		e.Jobs = runtime.GOMAXPROCS(0)
	}
	e.Records.Fields, e.Records.Jobs = e.field, e.Jobs
	return nil
}

// answer serves --help, --version and --flags.
func (e *Env) answer(c *Command, fs *pflag.FlagSet) (done bool, err error) {
	switch {
	case e.wantHelp:
		err = e.print(help(c, fs))
	case e.wantVersion:
		err = e.print(c.Name + " " + version() + "\n")
	case e.wantFlags:
		err = e.print(flagTable(fs))
	default:
		return false, nil
	}
	if err == nil {
		err = errHelp
	}
	return true, err
}

func (e *Env) print(s string) error {
	_, err := io.WriteString(e.Stdout, s)
	return err
}

func help(c *Command, fs *pflag.FlagSet) string {
	usage := strings.TrimRight("usage: "+c.Name+" [options] "+c.Usage, " ")
	epilog := c.Epilog
	if epilog != "" {
		epilog = "\n" + epilog
	}
	page := strings.ReplaceAll(c.Name, " ", "-")
	return fmt.Sprintf("%s\n%s\n\n%s%s\nSee %s(1).\n", usage, c.Summary, fs.FlagUsages(), epilog, page)
}

// flagTable lists every visible flag: long name, short name, argument, help.
func flagTable(fs *pflag.FlagSet) string {
	var b strings.Builder
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		arg, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", f.Name, f.Shorthand, arg, usage)
	})
	return b.String()
}

// version returns the module's version as the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
