// Package completions implements doppel completions, which writes a script that completes the flags
// of all tools in a shell.
//
// See man/doppel-completions.1.
package completions

import (
	"embed"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/toolbox"
)

// scripts holds a completion script for each shell. The scripts are never out of date, because they
// ask the tools for the valid arguments whenever the user asks for a completion.
//
//go:embed shells
var scripts embed.FS

// Options holds the options of doppel completions, which has none of its own.
type Options struct{ flags.Common }

func (c *Options) Flags(*pflag.FlagSet) {}

func (c *Options) Run(e *tool.Env, operands []string) error {
	if len(operands) != 1 {
		return tool.UsageError("want one shell: bash, zsh or fish")
	}
	script, err := scripts.ReadFile("shells/" + operands[0])
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
