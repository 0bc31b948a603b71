// Package front assembles the usual chains of tools, runs them and prints them.
//
// See man/doppel.1.
package front

import (
	"fmt"
	"strings"

	"doppel/pkg/tool"
)

// commands returns the subcommands, in the order of help.
func commands() []func() *tool.Command {
	return []func() *tool.Command{
		fuzzy,
		exact,
		shared,
		filter,
		pipeline,
		inspect,
		count,
		textFiles,
		equalFiles,
		measured,
		completions,
	}
}

// Run runs the subcommand that the first argument names.
func Run(std tool.Std) int {
	if len(std.Args) > 0 {
		for _, c := range commands() {
			if c := c(); c.Name == "doppel "+std.Args[0] {
				std.Args = std.Args[1:]
				return tool.Run(c, std)
			}
		}
	}
	return tool.Run(front(), std)
}

// front is the command without a subcommand: it has only help to give.
func front() *tool.Command {
	return tool.Adapt(&tool.Old{
		Name:    "doppel",
		Summary: "find near and exact duplicates: the usual chains of tools",
		Usage:   "COMMAND [ARGUMENT...]",
		Epilog:  summaries(),
		Runner: func(e *tool.Env, args []string) error {
			if len(args) == 0 {
				return tool.UsageError("want a command")
			}
			return tool.UsageError("no command %q", args[0])
		},
	})
}

// summaries lists the subcommands for help.
func summaries() string {
	var b strings.Builder
	b.WriteString("commands:\n")
	for _, c := range commands() {
		c := c()
		fmt.Fprintf(&b, "  %-12s %s\n", strings.TrimPrefix(c.Name, "doppel "), c.Summary)
	}
	return b.String()
}
