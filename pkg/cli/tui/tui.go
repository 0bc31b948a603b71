// Package tui implements doppel tui. A person chooses files, sees their first records, and chooses
// a job; a sample shows what the job would drop. The person then runs the job, inspects the dropped
// records, and writes the output. Every page shows the equivalent shell command.
//
// A Model implements the pages. A Worker does the slow work in the background; the tests use a fake
// Worker. The real worker runs the command that is shown on the screen, so it writes the same
// output as that command.
package tui

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/pflag"

	"doppel/pkg/msg"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Command returns the subcommand doppel tui.
func Command() *tool.Command {
	return &tool.Command{
		Name:    "doppel tui",
		Summary: "choose files and a command in a terminal, preview and run it",
		Usage:   "[DIR]",
		Options: &options{flags.Common{Watch: flags.Display{Never: true}}}, // show no progress line, because the pages use the whole screen
	}
}

type options struct{ flags.Common }

// Flags registers no flags, because the user chooses everything on the screen.
func (o *options) Flags(*pflag.FlagSet) {}

// Run shows the pages until the user quits.
func (o *options) Run(e *tool.Env, operands []string) error {
	if len(operands) > 1 {
		return tool.UsageError("want at most one directory")
	}
	dir := "."
	if len(operands) == 1 {
		dir = operands[0]
	}
	m, err := New(dir, newWorker(e.Jobs))
	if err != nil {
		return err
	}
	defer m.work.Close()
	in, screen, err := tea.OpenTTY()
	if err != nil {
		return msg.WithHint(fmt.Errorf("no terminal for the screen and the keys"), "run doppel tui in a terminal; doppel --help lists the commands")
	}
	defer in.Close()
	defer screen.Close()
	// Leave signals to Bubble Tea, which restores the terminal before it ends the run.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	_, err = tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(screen)).Run()
	if err == nil && m.written != "" {
		e.Note("%s", m.written)
	}
	return err
}
