// Package cli implements the command doppel. Its subcommands run chains of tools, or show
// properties of data. It also contains every tool, for users who have only this binary.
//
// See man/doppel.1.
package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/cli/audit"
	"doppel/pkg/cli/completions"
	"doppel/pkg/cli/count"
	"doppel/pkg/cli/cut"
	"doppel/pkg/cli/dirs"
	"doppel/pkg/cli/exact"
	"doppel/pkg/cli/files"
	"doppel/pkg/cli/fuzzy"
	"doppel/pkg/cli/groups"
	"doppel/pkg/cli/index"
	"doppel/pkg/cli/inspect"
	"doppel/pkg/cli/mail"
	"doppel/pkg/cli/measure"
	"doppel/pkg/cli/overlap"
	"doppel/pkg/cli/passages"
	"doppel/pkg/cli/pipeline"
	"doppel/pkg/cli/shared"
	"doppel/pkg/cli/text"
	"doppel/pkg/cli/tui"
	"doppel/pkg/dedup"
	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/toolbox"
)

// commands holds the constructors of the subcommands, in the order of the help text.
var commands = []func() *tool.Command{
	tool.New("doppel fuzzy", "remove near-duplicates from a dataset", records, fuzzy.Default),
	tool.New("doppel cut", "remove near-duplicates again, using the scores of an earlier run", "--run MANIFEST, or --scores FILE "+records, cut.Default),
	tool.New("doppel groups", "list the groups of near-duplicates, the largest first", records, groups.Default),
	tool.New("doppel exact", "remove exact duplicates from a dataset", records, exact.Default),
	tool.New("doppel passages", "cut out repeated passages", records, passages.Default),
	tool.New("doppel audit", "check a finished run against its decisions", "MANIFEST, or --decisions FILE -o OUTPUT FILE...", audit.Default),
	tool.New("doppel shared", "find which files share passages, and where", "[FILE|DIR...]", shared.Default),
	tool.New("doppel filter", "drop records by quality and language, as a file describes", "[-c FILE] "+records, fromFile(true)),
	tool.New("doppel pipeline", "run the steps that a file describes", "-c FILE "+records, fromFile(false)),
	tool.New("doppel index", "list, check, merge or export a collection of kept records", "DIR", index.Default),
	tool.New("doppel inspect", "show the first records of a dataset in readable form", records, inspect.Default),
	tool.New("doppel count", "count the records of a dataset", records, none[count.Options]),
	tool.New("doppel text", "find pairs of similar text files", "[FILE...]", text.Default),
	tool.New("doppel files", "find equal files, and list, remove or link the copies", "[FILE|DIR...]", files.Default),
	tool.New("doppel dirs", "find directories that are equal, similar or part of others", "[DIR...]", dirs.Default),
	tool.New("doppel mail", "find copies of messages in mailboxes, and move or remove them", "[MBOX|DIR...]", mail.Default),
	tool.New("doppel measure", "measure recall and precision of doppel fuzzy on a sample", records, measure.Default),
	tool.New("doppel overlap", "find which test items are in training data", "--test BENCH [FILE...]", overlap.Default),
	tool.New("doppel tui", "choose files and a command in a terminal, preview and run it", "[DIR]", tui.Default),
	tool.New("doppel completions", "write a script that completes the flags of all tools in a shell", "bash|zsh|fish", none[completions.Options]),
}

// records is the usage text for the operands of a command that reads records.
const records = "[FILE...]"

// none returns the zero value of O, for a command whose options need no other defaults.
func none[O any]() (o O) { return o }

// fromFile returns a function that makes the options of doppel filter or doppel pipeline.
func fromFile(filtersOnly bool) func() pipeline.Options {
	return func() pipeline.Options {
		return pipeline.Options{FiltersOnly: filtersOnly, Job: dedup.DefaultJob()}
	}
}

// Run runs doppel and returns the exit status. If std.Program is the name of a tool, Run runs
// that tool. Otherwise it runs the subcommand or tool named by the first argument.
func Run(std tool.Std) int {
	if c := toolbox.Find(std.Program); c != nil {
		return tool.Run(c, std)
	}
	if status, ok := answerCompletion(std); ok {
		return status
	}
	switch args := std.Args; {
	case len(args) == 0: // the same as --help
		std.Args = []string{"--help"}
	case args[0] == "help" && len(args) > 1 && Find(args[1]) == nil:
		std.Args = args[1:2]
	case args[0] == "help": // "help fuzzy" means "fuzzy --help"
		std.Args = append(slices.Clone(args[1:]), "--help")
	}
	if c := Find(std.Args[0]); c != nil {
		std.Program, std.Args = cmp.Or(std.Program, "doppel")+" "+std.Args[0], std.Args[1:]
		return tool.Run(c, std)
	}
	// Pass only the name, so that front reports the unknown command even with --help.
	if !strings.HasPrefix(std.Args[0], "-") {
		std.Args = append([]string{"--"}, std.Args[0])
	}
	return tool.Run(front(), std)
}

// Find returns the subcommand or tool with the given name, or nil.
func Find(name string) *tool.Command {
	for _, command := range commands {
		if c := command(); c.Name == "doppel "+name {
			return c
		}
	}
	return toolbox.Find(name)
}

// front returns the command that runs if doppel is called without a valid subcommand. It shows
// help, or reports the unknown subcommand.
func front() *tool.Command {
	epilog := "commands:\n"
	for _, command := range commands {
		c := command()
		epilog += fmt.Sprintf("  %-12s %s\n", strings.TrimPrefix(c.Name, "doppel "), c.Summary)
	}
	epilog += "\ntools for pipelines, each also run as 'doppel TOOL':\n" + listTools() + "\n"
	return &tool.Command{
		Name:    "doppel",
		Summary: "find near and exact duplicates: the usual tools in one command",
		Usage:   "COMMAND [ARGUMENT...]",
		Epilog:  epilog,
		Options: &nothing{},
	}
}

// listTools returns the names of the tools, in lines of at most 80 columns.
func listTools() string {
	var text, line string
	for _, command := range toolbox.All {
		name := command().Name
		if len(line)+len(", ")+len(name) > 79 {
			text, line = text+line+",\n", ""
		}
		if line != "" {
			line += ", "
		}
		line += name
	}
	return text + line
}

// meant maps words that users try as commands to the commands.
var meant = map[string]string{
	"dedup": "doppel exact, or doppel fuzzy for near-duplicates", "dedupe": "doppel exact, or doppel fuzzy for near-duplicates",
	"version": "doppel --version",
}

// The type nothing holds the options of the command that front returns.
type nothing struct{ flags.Common }

func (n *nothing) Flags(*pflag.FlagSet) {}

func (n *nothing) Run(_ *tool.Env, operands []string) error {
	err := tool.UsageError("unknown command %q", operands[0])
	var names []string
	for _, command := range slices.Concat(commands, toolbox.All) {
		names = append(names, strings.TrimPrefix(command().Name, "doppel "))
	}
	if _, missing := os.Stat(operands[0]); missing == nil || dataform.KindOf(operands[0]).Name != "" {
		return msg.WithHint(err, "name a command before the file, as in: doppel exact %s", msg.Quote(operands[0]))
	}
	if meant := meant[operands[0]]; meant != "" {
		return msg.WithHint(err, "did you mean %s?", meant)
	}
	if near := msg.Nearest(operands[0], append(names, "help")); near != "" {
		err = msg.WithHint(err, "did you mean doppel %s?", near)
	}
	return err
}
