package front

import (
	"embed"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// shells holds a script for each shell. They ask the tools for their flags, by
// --flags, so that they never go out of date.
//
//go:embed completions
var shells embed.FS

// completions writes the script of a shell.
func completions() *tool.Command {
	return &tool.Command{
		Name:    "doppel completions",
		Summary: "write a script that completes the flags of all tools in a shell",
		Usage:   "bash|zsh|fish",
		Options: &completing{},
	}
}

type completing struct{ tool.Common }

func (c *completing) Flags(*pflag.FlagSet) {}

func (c *completing) Run(e *tool.Env, operands []string) error {
	if len(operands) != 1 {
		return tool.UsageError("want the name of a shell: bash, zsh or fish")
	}
	script, err := shells.ReadFile("completions/" + operands[0])
	if err != nil {
		return tool.UsageError("there are no completions for %q, only for bash, zsh and fish", operands[0])
	}
	fill := strings.NewReplacer("@TOOLS@", strings.Join(completed(), " "), "@COMMANDS@", commandNames(operands[0]))
	_, err = fill.WriteString(e.Out, string(script))
	return err
}

// completed returns the names of all programs.
func completed() []string {
	names := []string{"doppel"}
	for _, command := range toolbox.All {
		names = append(names, command().Name)
	}
	return names
}

// commandNames lists the subcommands, as the scripts separate them.
func commandNames(shell string) string {
	var names []string
	for _, command := range append(commands, completions) {
		names = append(names, strings.TrimPrefix(command().Name, "doppel "))
	}
	if shell == "fish" {
		return strings.Join(names, " ")
	}
	return strings.Join(names, `\n`)
}
