// Package tui implements doppel tui. A form in a terminal has the files, the job, the field, the
// threshold and the output of a run, and shows the shell command with these options. A preview counts
// what the job would drop. The form then ends, and the process runs the command.
//
// See man/doppel-tui.1.
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

// Options holds the options of doppel tui, which has none of its own.
type Options struct{ flags.Common }

// Default returns options that show no progress line, because the form uses the whole screen.
func Default() Options { return Options{flags.Common{Watch: flags.Display{Never: true}}} }

// Flags registers no flags, because the user chooses everything on the screen.
func (o *Options) Flags(*pflag.FlagSet) {}

// Run shows the form until the user quits, or replaces this process by the command of the form.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if len(operands) > 1 {
		return tool.UsageError("want at most one directory")
	}
	dir := "."
	if len(operands) == 1 {
		dir = operands[0]
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := newForm(dir, &process{self})
	if err != nil {
		return err
	}
	in, screen, err := tea.OpenTTY()
	if err != nil {
		return msg.WithHint(fmt.Errorf("no terminal for the screen and the keys"), "run doppel tui in a terminal; doppel --help lists the commands")
	}
	defer in.Close()
	defer screen.Close()
	// Leave signals to Bubble Tea, which restores the terminal before it ends the run.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	_, err = tea.NewProgram(f, tea.WithInput(in), tea.WithOutput(screen)).Run()
	f.cancel()
	if err != nil || !f.accepted {
		return err
	}
	fmt.Fprintln(e.Stderr, "$ "+msg.Graphic(f.run.command()))
	return syscall.Exec(self, append([]string{os.Args[0]}, f.run.args()...), os.Environ())
}
