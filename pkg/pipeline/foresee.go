package pipeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/plan/forecast"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Foresight holds the options of --plan, which forecasts the cost of a run in parts.
type Foresight struct {
	Form     ForecastForm // empty if no forecast is wanted
	Sizes    string       // name of a file that lists the whole dataset, if the operands are only a part of it
	Sample   int          // number of records to sample
	Machines int
	Cores    int // cores per machine; 0 means as many as this machine has
}

// A ForecastForm is the format of a forecast. *ForecastForm is a pflag.Value.
type ForecastForm string

func (f *ForecastForm) Set(s string) error {
	if s != "text" && s != "json" {
		return fmt.Errorf("invalid form %q: want text or json", s)
	}
	*f = ForecastForm(s)
	return nil
}

func (f *ForecastForm) String() string { return string(*f) }

// Type returns the placeholder for the value in help texts. It is empty because the value is
// optional.
func (f *ForecastForm) Type() string { return "" }

// defaultSample is the default number of records to sample.
const defaultSample = 100_000

func (o *Foresight) Flags(fs *pflag.FlagSet) {
	fs.Var(&o.Form, "plan", "print a forecast of what the run in parts will cost, as text or (--plan=json) as a JSON object, and run nothing")
	fs.Lookup("plan").NoOptDefVal = "text"
	fs.StringVar(&o.Sizes, "sizes", o.Sizes, "with --plan: forecast for the files in `LISTING`, lines of a size and a name; the operands are a sample of them")
	fs.IntVar(&o.Sample, "sample", o.Sample, "with --plan: sample `N` records")
	fs.IntVar(&o.Machines, "machines", o.Machines, "with --plan: forecast for `N` machines")
	fs.IntVar(&o.Cores, "cores", o.Cores, "with --plan: forecast for `M` cores each (default: as on this machine)")
	flagset.Assign(fs, flagset.Machines, "plan", "sizes", "sample", "machines", "cores")
	flagset.AtLeast(fs, 1, "cores")
}

func (o *Foresight) idle(i *flags.Idle) {
	i.When(o.Form == "", "without --plan", "sizes", "sample", "machines", "cores")
	i.When(o.Form != "", "with --plan", "dry-run", "verbose", "stats", "progress", "no-progress", "no-sync")
}

// checkJob returns an error if the options do not allow the job to be run, printed or forecast.
func (f *Fuzzy) checkJob() error {
	o, job := &f.Plan, f.Job
	switch {
	case o.Form == "":
		return job.Check()
	case job.Print != plan.None:
		return tool.UsageError("--plan and --print cannot be used together")
	case f.Records.Within != "" || f.Records.Across != "":
		return tool.UsageError("--plan counts pairs of records whatever their values, so it cannot be used with --within or --across")
	case o.Sample < 1:
		return tool.UsageError("--sample %d: want 1 or more", o.Sample)
	case o.Machines < 1:
		return tool.UsageError("--machines %d: want 1 or more", o.Machines)
	case o.Cores < 0:
		return tool.UsageError("--cores %d: want 1 or more", o.Cores)
	}
	if _, err := f.parts(nil); err != nil {
		return fmt.Errorf("--plan forecasts a run in parts: %w", err)
	}
	if job.Print = plan.Make; job.Parts == 0 {
		job.Parts = 1 // a placeholder: foresee chooses the number later
	}
	return job.Check()
}

// foresee forecasts the cost of a run in parts and writes the forecast to e.Out.
func (f *Fuzzy) foresee(e *tool.Env, operands []string) error {
	s, err := f.survey(e, operands)
	if err != nil {
		return err
	}
	c := forecast.Cluster{Machines: f.Plan.Machines, Cores: cmp.Or(f.Plan.Cores, runtime.NumCPU()), Parts: f.Job.Parts}
	d := &s.data
	d.Bands = float64(s.bands)
	if c.Parts == 0 {
		c.Parts = d.Parts(c)
	}
	d.Pairs = s.sample.Pairs(f.Pair.Pairing.Hot, c.Parts)
	costs, err := f.probe(e, s, c.Parts)
	if err != nil {
		return err
	}
	p, err := f.parts(nil)
	if err != nil {
		return err
	}
	limits := forecast.Limits{Pairs: memory(p.Pairs), Scores: memory(*p.Verify)}
	t := forecastOf(s, c, forecast.Steps(d, costs, limits, c))
	if f.Plan.Form == "json" {
		return json.NewEncoder(e.Out).Encode(t)
	}
	t.text(e)
	return nil
}

func memory(s plan.Stage) float64 { return float64(s.Options.SharedOptions().Mem) }

// A prediction is the output of --plan. Its numbers are estimates, except those in Sample and those
// marked exact.
type prediction struct {
	Sample struct {
		Records int64 `json:"records"`      // records drawn
		Read    int64 `json:"records_read"` // number of records in the files read
		Files   int   `json:"files_read"`
		Bytes   int64 `json:"bytes_read"`
		Pairs   int   `json:"pairs"` // number of candidate pairs among the drawn records
	} `json:"sample"`
	Files       int64           `json:"files"` // exact
	Bytes       int64           `json:"bytes"` // exact
	Records     int64           `json:"records"`
	Counted     bool            `json:"records_exact"`
	Signatures  int64           `json:"signature_bytes"`
	Keys        int64           `json:"keys"`
	KeyBytes    int64           `json:"key_bytes"` // compressed size of all keys
	Pairs       int64           `json:"candidate_pairs"`
	PairsError  *float64        `json:"candidate_pairs_error"` // nil if nothing is known, because the sample has no pair
	PairsMost   int64           `json:"candidate_pairs_at_most"`
	Texts       int64           `json:"texts"`      // number of records in pairs
	TextBytes   int64           `json:"text_bytes"` // size of the texts of records in pairs; a text in several bins counts once per bin
	Parts       int             `json:"parts"`
	PartBytes   int64           `json:"part_bytes"` // compressed size of the keys of one part
	Scratch     int64           `json:"scratch_bytes"`
	ScratchEach int64           `json:"scratch_bytes_per_machine"`
	Memory      int64           `json:"peak_memory_bytes"`
	CoreHours   float64         `json:"core_hours"`
	Wall        float64         `json:"wall_seconds"`
	Machines    int             `json:"machines"`
	Cores       int             `json:"cores"`
	Steps       []forecast.Step `json:"steps"`
}

func forecastOf(s *survey, c forecast.Cluster, steps []forecast.Step) *prediction {
	d := &s.data
	t := &prediction{
		Files: int64(d.Files), Bytes: int64(d.Bytes), Records: round(d.Records), Counted: s.sample.Frame.Files == 1,
		Signatures: round(d.Records * (s.signature + d.ID)), Keys: round(d.Records * d.Bands), KeyBytes: round(steps[0].Scratch),
		Pairs: round(d.Candidates), PairsMost: round(d.Most), Texts: round(d.Paired), TextBytes: round(d.Paired * d.Copies * d.Line * d.Length),
		Parts: c.Parts, PartBytes: round(steps[0].Scratch / float64(c.Parts)), Machines: c.Machines, Cores: c.Cores, Steps: steps,
	}
	if d.Seen > 0 || d.Most == 0 {
		t.PairsError = &d.Error
	}
	t.Sample.Records, t.Sample.Read, t.Sample.Files, t.Sample.Bytes, t.Sample.Pairs = int64(s.sample.Len()), s.seen, len(s.read), s.bytes, d.Seen
	sum := forecast.Sum(steps, c)
	t.Memory, t.CoreHours, t.Wall = round(sum.Memory), sum.Seconds/3600, sum.Wall
	t.Scratch, t.ScratchEach = round(sum.Scratch), round(sum.Each)
	return t
}

func round(v float64) int64 { return int64(math.Round(v)) }

// text writes the forecast to e.Out as human-readable text.
func (t *prediction) text(e *tool.Env) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(e.Out, "%-11s %s\n", name, fmt.Sprintf(format, args...))
	}
	records := "estimated"
	if t.Counted {
		records = "counted"
	}
	row("sample", "%d of %s read, in %d of %s", t.Sample.Records, msg.Number(t.Sample.Read, "record"), t.Sample.Files, msg.Number(t.Files, "file"))
	row("bytes", "%s, exact", size(t.Bytes))
	row("records", "%d, %s", t.Records, records)
	row("signatures", "%s", size(t.Signatures))
	row("keys", "%d, %s", t.Keys, size(t.KeyBytes))
	if t.PairsError == nil {
		row("pairs", "at most %d; there is none in the sample, which is too small to tell more", t.PairsMost)
	} else {
		row("pairs", "%d ±%.0f %%, at most %d, from %d in the sample", t.Pairs, 100**t.PairsError, t.PairsMost, t.Sample.Pairs)
	}
	row("texts", "%d, %s", t.Texts, size(t.TextBytes))
	row("parts", "%d of %s", t.Parts, size(t.PartBytes))
	row("scratch", "%s, %s a machine", size(t.Scratch), size(t.ScratchEach))
	row("memory", "%s a task", size(t.Memory))
	row("processor", "%.3g core-hours", t.CoreHours)
	row("time", "%s on %s of %s", seconds(t.Wall), msg.Number(t.Machines, "machine"), msg.Number(t.Cores, "core"))
	fmt.Fprintf(e.Out, "\n%-11s %8s %12s %10s %10s %10s\n", "step", "tasks", "processor", "time", "memory", "scratch")
	for _, s := range t.Steps {
		fmt.Fprintf(e.Out, "%-11s %8.0f %12s %10s %10s %10s\n", s.Name, s.Tasks, seconds(s.Seconds), seconds(s.Wall), size(round(s.Memory)), size(round(s.Scratch)))
	}
}

// size formats a number of bytes in the decimal unit that gives one to three digits before the
// decimal point.
func size(bytes int64) string {
	v, unit := float64(bytes), 0
	for ; v >= 999.5 && unit < 5; unit++ {
		v /= 1000
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.3g %cB", v, "kMGTP"[unit-1])
}

// seconds formats a time in seconds, minutes or hours.
func seconds(s float64) string {
	switch {
	case s < 120:
		return fmt.Sprintf("%.3g s", s)
	case s < 7200:
		return fmt.Sprintf("%.3g min", s/60)
	}
	return fmt.Sprintf("%.4g h", s/3600)
}

// endings returns the distinct extensions of file names, sorted.
func endings(files []string) (all []string) {
	for _, name := range files {
		all = append(all, filepath.Ext(name))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// dataFiles returns the files that the operands name, and their sizes. For an operand that is a
// directory, it returns the data files in the directory.
func dataFiles(operands []string) (files []string, sizes []int64, err error) {
	if len(operands) == 0 {
		return nil, nil, tool.UsageError("--plan needs the names of input files")
	}
	for _, name := range operands {
		if plan.ReadsOnce(name) {
			return nil, nil, tool.UsageError("%s: want a file, because --plan reads it more than once", name)
		}
		found, err := record.FilesOf(name)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range found {
			info, err := os.Stat(name)
			if err != nil {
				return nil, nil, err
			}
			files, sizes = append(files, name), append(sizes, info.Size())
		}
	}
	return files, sizes, nil
}
