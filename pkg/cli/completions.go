package cli

import (
	"embed"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/toolbox"
)

// shells holds a completion script for each shell. The scripts are never out of date, because they
// ask the tools for the valid arguments whenever the user asks for a completion.
//
//go:embed completions
var shells embed.FS

type completions struct{ flags.Common }

func (c *completions) Flags(*pflag.FlagSet) {}

func (c *completions) Run(e *tool.Env, operands []string) error {
	if len(operands) != 1 {
		return tool.UsageError("want one shell: bash, zsh or fish")
	}
	script, err := shells.ReadFile("completions/" + operands[0])
	if err != nil {
		return tool.UsageError("invalid shell %q: want bash, zsh or fish", operands[0])
	}
	programs := "doppel"
	for _, command := range toolbox.All {
		programs += " " + command().Name
	}
	_, err = strings.NewReplacer("@TOOLS@", programs).WriteString(e.Out, string(script))
	return err
}

// completeFlag is the first argument with which a completion script calls doppel; see package tool.
const completeFlag = "--complete"

// answerCompletion answers a completion script that asks for the values of the next argument. For
// the first argument, answerCompletion prints the matching commands and tools. For a later
// argument, it runs the command named by the first argument, and that command prints the values. If
// ok is false, answerCompletion has printed nothing, and the caller must run doppel as usual.
func answerCompletion(std tool.Std) (status int, ok bool) {
	if len(std.Args) < 2 || std.Args[0] != completeFlag {
		return 0, false
	}
	word := std.Args[1]
	if len(std.Args) > 2 {
		if c := Find(word); c != nil {
			std.Args = append([]string{completeFlag}, std.Args[2:]...)
			return tool.Run(c, std), true
		}
		return tool.ExitOK, true
	}
	if strings.HasPrefix(word, "-") {
		return 0, false
	}
	var begun strings.Builder
	for _, command := range slices.Concat(commands, toolbox.All) {
		c := command()
		if name := strings.TrimPrefix(c.Name, "doppel "); strings.HasPrefix(name, word) {
			begun.WriteString(name + "\t" + c.Summary + "\n")
		}
	}
	if _, err := io.WriteString(std.Stdout, begun.String()); err != nil {
		return tool.ExitTrouble, true
	}
	return tool.ExitOK, true
}
