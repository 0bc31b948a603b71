// Serial measures how much of a command's work is done by goroutines that work alone, which more
// cores do not make faster.
//
//	serial [--header] [--name NAME] [--check] [--bytes N] [--runs N] COMMAND [ARGUMENT...]
//	serial --plot <TABLE >PLOT.svg
//
// It runs "doppel COMMAND ARGUMENT..." in a process of its own, with a profile of the processor, and
// prints a row of a table: the processor seconds of the run; the serial seconds, which are those of
// the goroutine that works longest alone in each step, added up; these goroutines; and the seconds
// that the run would take on a number of cores. On that number of cores a step takes as long as its
// longest goroutine, or as all its work divided by the number of cores, whichever is longer. The
// measured seconds stand in parentheses.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/spf13/pflag"

	"doppel/pkg/cli"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// profiled is the environment variable that names the profile that a child process writes.
const profiled = "DOPPEL_SERIAL_PROFILE"

func main() {
	name := os.Getenv(profiled)
	if name == "" {
		os.Exit(tool.Run(&tool.Command{Name: "serial", Summary: "measure the work that one core must do alone", Usage: "COMMAND [ARGUMENT...]", Options: &options{}}, tool.OS()))
	}
	std := tool.OS()
	std.Program = "doppel"
	status, err := runProfiled(name, std)
	if err != nil {
		fmt.Fprintln(os.Stderr, "serial:", err)
		status = 2
	}
	os.Exit(status)
}

// runProfiled runs doppel, and writes a profile of the run.
func runProfiled(name string, std tool.Std) (status int, err error) {
	f, err := os.Create(name)
	if err != nil {
		return 2, err
	}
	if name != os.DevNull {
		if err := pprof.StartCPUProfile(f); err != nil {
			return 2, err
		}
		defer pprof.StopCPUProfile()
	}
	return cli.Run(std), nil
}

type options struct {
	flags.Common
	name  string
	runs  int
	cores []int
	bytes int64
	input string
	most  float64
	check bool
	plot  bool
}

func (o *options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.name, "name", "", "call the run `NAME` in the table")
	fs.IntVar(&o.runs, "runs", 3, "take the mean of `N` runs")
	fs.IntSliceVar(&o.cores, "cores", []int{1, 2, 4, 8, 16, 32}, "forecast the seconds on these `NUMBERS` of cores")
	fs.Int64Var(&o.bytes, "bytes", 1e9, "print seconds for each gigabyte; the command reads `N` bytes")
	fs.StringVar(&o.input, "input", "", "read the standard input of the command from `FILE`")
	fs.Float64Var(&o.most, "most", 1, "fail if the serial seconds are more than this `SHARE` of the processor seconds")
	fs.BoolVar(&o.check, "check", false, "also measure the seconds on as many of the cores as this machine has")
	fs.BoolVar(&o.plot, "plot", false, "read a table with all its rows, and draw the seconds by number of cores as SVG")
	o.Common.Flags(fs, flags.Header|flags.Output)
	fs.SetInterspersed(false)
}

func (o *options) Run(e *tool.Env, args []string) error {
	if o.plot {
		cores, curves, err := readTable(e.Stdin)
		if err != nil {
			return err
		}
		return writePlot(e.Out, cores, curves)
	}
	if o.Header {
		o.writeHead(e.Out)
	}
	if len(args) == 0 {
		return nil
	}
	sum, err := o.profile(args)
	if err != nil {
		return err
	}
	steps, unit := readSteps(sum), 1e9/float64(o.bytes)/float64(o.runs)
	all, serial, longest := 0.0, 0.0, []string(nil)
	for _, s := range steps {
		name, seconds := s.longest()
		all, serial = all+s.all, serial+seconds
		if seconds*unit >= least {
			longest = append(longest, fmt.Sprintf("%s %.2f", name, seconds*unit))
		}
	}
	fmt.Fprintf(e.Out, "| %s | %.2f | %.2f | %s |", o.name, all*unit, serial*unit, strings.Join(longest, ", "))
	for _, n := range o.cores {
		fmt.Fprintf(e.Out, " %.2f", forecast(steps, n)*unit)
		if o.check && n <= runtime.NumCPU() {
			took, err := o.measure(args, n)
			if err != nil {
				return err
			}
			fmt.Fprintf(e.Out, " (%.2f)", took*unit)
		}
		fmt.Fprint(e.Out, " |")
	}
	fmt.Fprintln(e.Out)
	if serial > o.most*all {
		return fmt.Errorf("%s: one core must do %.2f of the work: want at most %g", o.name, serial/all, o.most)
	}
	return nil
}

// writeHead writes the head of the table.
func (o *options) writeHead(w io.Writer) {
	fmt.Fprint(w, "| run | processor | serial | the longest of each step |")
	for _, n := range o.cores {
		fmt.Fprintf(w, " %d |", n)
	}
	fmt.Fprintf(w, "\n|---|--:|--:|---|%s\n", strings.Repeat("--:|", len(o.cores)))
}

// least is the number of seconds for each gigabyte below which a goroutine is not named.
const least = .02

// profile runs the command a few times, and returns the sum of the profiles.
func (o *options) profile(args []string) (*profile.Profile, error) {
	f, err := os.CreateTemp("", "serial-")
	if err != nil {
		return nil, err
	}
	f.Close()
	defer os.Remove(f.Name())
	var all []*profile.Profile
	for range o.runs {
		if err := o.start(f.Name(), args, 0); err != nil {
			return nil, err
		}
		b, err := os.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		p, err := profile.ParseData(b)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return profile.Merge(all)
}

// measure returns the seconds that the runs of the command take on some of the cores.
func (o *options) measure(args []string, cores int) (float64, error) {
	start := time.Now()
	for range o.runs {
		if err := o.start(os.DevNull, args, cores); err != nil {
			return 0, err
		}
	}
	return time.Since(start).Seconds(), nil
}

// start runs the command in a process of its own, on all cores if cores is 0.
func (o *options) start(to string, args []string, cores int) error {
	c := exec.Command(os.Args[0], args...)
	if cores > 0 {
		c = exec.Command("taskset", append([]string{"-c", fmt.Sprintf("0-%d", cores-1), os.Args[0]}, args...)...)
	}
	c.Env = append(os.Environ(), profiled+"="+to)
	if o.input != "" {
		in, err := os.Open(o.input)
		if err != nil {
			return err
		}
		defer in.Close()
		c.Stdin = in
	}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
