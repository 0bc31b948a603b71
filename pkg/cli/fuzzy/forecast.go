package fuzzy

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

// Forecast holds the options of --plan, which estimates the cost of a run in parts.
type Forecast struct {
	Form     ForecastFormat // empty if no forecast is wanted
	Sizes    string         // name of a file that lists the whole dataset, if the operands are only a part of it
	Sample   int            // number of records to sample
	Machines int
	Cores    int // cores per machine; 0 means as many as this machine has
}

// A ForecastFormat is the format of a forecast. *ForecastFormat is a pflag.Value.
type ForecastFormat string

func (f *ForecastFormat) Set(s string) error {
	if s != "text" && s != "json" {
		return fmt.Errorf("invalid form %q: want text or json", s)
	}
	*f = ForecastFormat(s)
	return nil
}

func (f *ForecastFormat) String() string { return string(*f) }

// Type returns the placeholder for the value in help texts. It is empty because the value is
// optional.
func (f *ForecastFormat) Type() string { return "" }

// defaultSample is the default number of records to sample.
const defaultSample = 100_000

func (o *Forecast) Flags(fs *pflag.FlagSet) {
	fs.Var(&o.Form, "plan", "print a forecast of what the run in parts will cost, as text or (--plan=json) as a JSON object, and run nothing")
	fs.Lookup("plan").NoOptDefVal = "text"
	fs.StringVar(&o.Sizes, "sizes", o.Sizes, "with --plan: forecast for the files in `LISTING`, lines of a size and a name; the operands are a sample of them")
	fs.IntVar(&o.Sample, "sample", o.Sample, "with --plan: sample `N` records")
	fs.IntVar(&o.Machines, "machines", o.Machines, "with --plan: forecast for `N` machines")
	fs.IntVar(&o.Cores, "cores", o.Cores, "with --plan: forecast for `M` cores each (default: as on this machine)")
	flagset.Assign(fs, flagset.Machines, "plan", "sizes", "sample", "machines", "cores")
	flagset.AtLeast(fs, 1, "cores")
}

func (o *Forecast) idle(i *flags.Idle) {
	i.When(o.Form == "", "without --plan", "sizes", "sample", "machines", "cores")
	i.When(o.Form != "", "with --plan", "dry-run", "verbose", "stats", "progress", "no-progress", "no-sync")
}

// checkJob returns an error if the options do not allow the job to be run, printed or forecast.
func (f *Options) checkJob() error {
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
		job.Parts = 1 // a placeholder: forecast chooses the number later
	}
	return job.Check()
}

// forecast estimates the cost of a run in parts and writes the estimate to e.Out.
func (f *Options) forecast(e *tool.Env, operands []string) error {
	s, err := f.sample(e, operands)
	if err != nil {
		return err
	}
	t, err := f.predict(e, s)
	if err != nil {
		return err
	}
	if f.Plan.Form == "json" {
		return json.NewEncoder(e.Out).Encode(t)
	}
	t.text(e)
	return nil
}

// predict runs the makefile twice, on a record of each chosen file and on the sample, and extrapolates.
func (f *Options) predict(e *tool.Env, s *sample) (*prediction, error) {
	c := forecast.Cluster{Machines: f.Plan.Machines, Cores: cmp.Or(f.Plan.Cores, runtime.NumCPU()), Parts: f.Job.Parts}
	records := float64(s.read) * s.bytes / s.size
	bands, err := f.Pair.Keys.Settle(f.Sign.Slots)
	if err != nil {
		return nil, err
	}
	keys := records * float64(bands.B)
	lines := keys * (keyBytes + s.names/s.files + 1 + math.Ceil(math.Log10(max(10, records/s.files)))) // bytes of all key lines
	if c.Parts == 0 {
		c.Parts = forecast.Parts(lines, c)
	}
	dir, err := os.MkdirTemp("", "doppel-plan-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var runs [2][]forecast.Trial
	var last *trial
	for i, share := range [2]float64{0, s.share} {
		below := filepath.Join(dir, fmt.Sprint(i))
		if last, err = f.newTrial(e, below, s, share); err == nil {
			runs[i], err = last.run(min(c.Parts, trialParts))
		}
		if err != nil {
			return nil, err
		}
	}
	within, across, paired, err := last.pairs()
	if err != nil {
		return nil, err
	}
	frame := forecast.Frame{Files: s.files, Chosen: float64(len(s.chosen)), Share: s.share, Bytes: s.bytes / (s.size * s.share)}
	t := &prediction{Files: int64(s.files), Bytes: int64(s.bytes), Records: round(records), Counted: s.size == s.bytes, Parts: c.Parts, Machines: c.Machines, Cores: c.Cores}
	t.Sample.Records, t.Sample.Read, t.Sample.Files, t.Sample.Pairs = round(s.share*float64(s.read)), s.read, len(s.chosen), int64(within+across)
	t.Pairs = round(frame.Pairs(within, across))
	pairs := float64(t.Pairs) / max(1, within+across)
	t.Texts = round(min(records, paired*pairs))
	texts := float64(t.Texts) / max(1, paired)
	memory := f.taskMemory(c, lines/s.batches, keys, runs[1][3].Scratch*texts, float64(t.Texts))
	t.extrapolate(runs, s.batches, frame.Bytes, pairs, texts, memory, c)
	return t, nil
}

// trialParts is the maximum number of parts of the two runs. A part costs the same in each of them, and
// a thousand parts would take minutes.
const trialParts = 4

// packedKeys returns the size of the compressed keys of a record in bytes: 16 keys in the given number
// of parts.
func packedKeys(parts int) float64 {
	p := float64(parts)
	return 95 + 12*p*(1-math.Pow(1-1/p, 16))
}

// keyBytes is the number of bytes of a key line before the id.
const keyBytes = 34

// These are the bytes of memory that tasks need for their data.
const (
	keyMemory    = 68  // of keypairs, for each key
	heldShare    = .6  // share of its memory limit that keypairs uses at most
	textMemory   = 1.1 // of jaccard, for each byte of a text
	recordMemory = 45  // of dupgroup, for each record in a pair
	heldLines    = 3   // of a task that makes keys, for each byte of the key lines of its batch
	threadMemory = 24 << 20
)

// taskMemory returns the memory that the tasks of steps need for their data, in bytes. It depends on the
// bytes of the key lines of a batch, and on the numbers of keys, bytes of texts and records in pairs.
func (f *Options) taskMemory(c forecast.Cluster, batch, keys, texts, paired float64) map[string]float64 {
	parts := float64(c.Parts)
	return map[string]float64{
		"keys":      max(0, min(threadMemory*float64(c.Cores), heldLines*batch)-forecast.ProcessMemory/2),
		"pairs":     min(keyMemory*keys/parts, heldShare*memory(f.PairStage())),
		"scores":    min(textMemory*texts/parts, memory(f.VerifyStage(nil))),
		"decisions": recordMemory * paired,
	}
}

func memory(s plan.Stage) float64 { return float64(s.Options.SharedOptions().Mem) }

// extrapolate sets the forecast of each step. The arguments are the two runs, the number of batches, the
// factors by which the dataset has more bytes, more pairs and more texts in pairs than the sample, and the
// memory of a task for its data.
func (t *prediction) extrapolate(runs [2][]forecast.Trial, batches, bytes, pairs, texts float64, memory map[string]float64, c forecast.Cluster) {
	parts := float64(c.Parts)
	grown := map[string]forecast.Growth{
		"keys":      {Tasks: batches, Work: bytes, Scratch: bytes * packedKeys(c.Parts) / packedKeys(min(c.Parts, trialParts))},
		"pairs":     {Tasks: parts, Work: bytes, Scratch: pairs},
		"bins":      {Tasks: 1, Work: pairs, Scratch: pairs},
		"texts":     {Tasks: batches, Work: bytes, Scratch: texts},
		"scores":    {Tasks: parts, Work: pairs, Scratch: pairs},
		"decisions": {Tasks: 1, Work: pairs, Scratch: texts},
		"kept":      {Tasks: batches, Work: bytes},
	}
	for i, one := range runs[1] {
		g := grown[one.Name]
		one.Fixed, g.Memory = runs[0][i].Seconds, memory[one.Name]
		if perPair[one.Name] && one.Seconds-one.Fixed < noise {
			g.Work = 0
		}
		t.Steps = append(t.Steps, forecast.Extrapolate(one, g, c))
	}
	sum := forecast.Sum(t.Steps)
	t.KeyBytes, t.PartBytes = round(t.Steps[0].Scratch), round(t.Steps[0].Scratch/parts)
	t.Memory, t.CoreHours, t.Wall = round(sum.Memory), sum.Seconds/3600, sum.Wall
	t.Scratch, t.ScratchEach = round(sum.Scratch), round(sum.Scratch/float64(c.Machines))
}

// perPair names the steps whose work grows with the number of pairs. A sample of a sixteenth has a 256th
// of the pairs, which would multiply the noise of the two runs.
var perPair = map[string]bool{"bins": true, "scores": true, "decisions": true}

// noise is the difference in seconds by which two runs of a step on equal data may differ.
const noise = .05

// A prediction is the output of --plan. Its numbers are estimates, except those in Sample and those
// marked exact.
type prediction struct {
	Sample struct {
		Records int64 `json:"records"`      // records drawn
		Read    int64 `json:"records_read"` // number of records in the files read
		Files   int   `json:"files_read"`
		Pairs   int64 `json:"pairs"` // number of candidate pairs among the drawn records
	} `json:"sample"`
	Files       int64           `json:"files"` // exact
	Bytes       int64           `json:"bytes"` // exact
	Records     int64           `json:"records"`
	Counted     bool            `json:"records_exact"`
	KeyBytes    int64           `json:"key_bytes"` // compressed size of all keys
	Pairs       int64           `json:"candidate_pairs"`
	Texts       int64           `json:"texts"` // number of records in pairs
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
	row("keys", "%s", size(t.KeyBytes))
	row("pairs", "%d, from %d in the sample", t.Pairs, t.Sample.Pairs)
	row("texts", "%d", t.Texts)
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
