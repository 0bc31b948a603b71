package fuzzy

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/line"
	"doppel/pkg/plan"
	"doppel/pkg/plan/forecast"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
	"doppel/pkg/topk"
)

// A sample holds what --plan knows about a dataset, and where the drawn records are.
type sample struct {
	files, bytes, names float64  // of the dataset: number of files, size, and total length of the names
	chosen              []string // names of the files from which records are drawn
	counts              []int64  // their numbers of records
	read                int64    // the sum of counts
	size                float64  // their total size in bytes
	share               float64  // share of their records that is drawn
	batches             float64  // number of batches of the dataset
}

// fewFiles is the minimum number of files from which records are drawn, if the dataset has that many.
// Several files show how many duplicates are in the same file and how many are in different files.
const fewFiles = 8

// sample counts the records of files in random order, until there are enough to draw from.
func (f *Options) sample(e *tool.Env, operands []string) (*sample, error) {
	files, sizes, err := dataFiles(operands)
	if err != nil {
		return nil, err
	}
	s := &sample{files: float64(len(files))}
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
		s.bytes, s.names = s.bytes+float64(sizes[i]), s.names+float64(len(files[i]))
	}
	plan, err := f.parts(files)
	if err != nil {
		return nil, err
	}
	plan.Batch = int64(f.Job.Batch)
	s.batches = float64(len(plan.Batches()))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(topk.Draw(0, int64(a)), topk.Draw(0, int64(b))) })
	for _, i := range order {
		if len(s.chosen) >= fewFiles && s.read >= int64(f.Plan.Sample) {
			break
		}
		n, err := f.countRecords(e, files[i])
		if err != nil {
			return nil, err
		}
		s.chosen, s.counts, s.read, s.size = append(s.chosen, files[i]), append(s.counts, n), s.read+n, s.size+float64(sizes[i])
	}
	if s.read == 0 {
		return nil, fmt.Errorf("%s: no records", files[0])
	}
	s.share = min(1, float64(f.Plan.Sample)/float64(s.read))
	return s, f.readListing(e, s, files)
}

// countRecords returns the number of records in a file. It decodes the texts, so that a bad record is
// reported by its place in the file.
func (f *Options) countRecords(e *tool.Env, name string) (records int64, err error) {
	opt := f.Records
	opt.ID, opt.WithFilename, opt.Expect = "", false, 0
	rd, err := record.NewReader(e.Input([]string{name}), opt)
	if err == nil {
		err = reccat.Head(e, rd, -1, func(*record.Record) error { records++; return nil })
	}
	return records, err
}

// readListing reads the file that --sizes names, which lists the whole dataset. The given files are a
// part of the dataset.
func (f *Options) readListing(e *tool.Env, s *sample, files []string) error {
	if f.Plan.Sizes == "" {
		return nil
	}
	in, err := e.Open(f.Plan.Sizes)
	if err != nil {
		return err
	}
	defer in.Close()
	l, err := forecast.ReadListing(in, endings(files))
	switch {
	case err != nil:
		return fmt.Errorf("%s:%w", in.Name, err)
	case l.Bytes == 0:
		return fmt.Errorf("%s: lists no files, or only empty ones", in.Name)
	case float64(l.Bytes) < s.bytes:
		return fmt.Errorf("%s: lists %d bytes, but the operands, which are a sample of these files, have %.0f", in.Name, l.Bytes, s.bytes)
	}
	// Each file is a batch, because the makefile does not know the sizes of remote files.
	s.files, s.bytes, s.names, s.batches = float64(l.Files), float64(l.Bytes), float64(l.Names), float64(l.Files)
	return nil
}

// A trial is a run of the makefile in a directory of its own, on records drawn from the chosen files.
type trial struct {
	f      Options
	e      *tool.Env
	dir    string
	shards []string // names of the files with the drawn records, in dir
}

// newTrial draws a share of the records of each chosen file, at least one.
func (f *Options) newTrial(e *tool.Env, dir string, s *sample, share float64) (*trial, error) {
	t := &trial{f: *f, e: e, dir: dir}
	t.f.Records.Encoding = "" // the drawn records are written as UTF-8
	for _, key := range []*string{&t.f.Text.Key, &t.f.Sign.Key} {
		if *key != "" {
			*key, _ = filepath.Abs(*key)
		}
	}
	for i, name := range s.chosen {
		o := reccat.Default()
		o.Sample, o.NoSync = max(1, int64(share*float64(s.counts[i])+.5)), true
		o.Records.Dialect, o.Records.Lines, o.Records.MaxRecord = f.Records.Dialect, f.Records.Lines, f.Records.MaxRecord
		shard := filepath.Join(partitionOf(name), fmt.Sprintf("%0*d", s.nameLength(name), i)+suffixOf(name))
		if o.OutputName = filepath.Join(dir, shard); f.Records.CSV && dataform.KindOf(shard).Name == "" {
			o.To = "csv"
		}
		if err := os.MkdirAll(filepath.Dir(o.OutputName), 0o700); err != nil {
			return nil, err
		}
		b := &plan.Builder{Env: e}
		b.Add(plan.Step{Stages: []plan.Stage{plan.Tool("reccat", &o).On(name)}})
		if err := b.Do(io.Discard); err != nil {
			return nil, err
		}
		t.shards = append(t.shards, shard)
	}
	slices.SortFunc(t.shards, func(a, b string) int { return cmp.Compare(a+":", b+":") })
	return t, nil
}

// nameLength returns the length of the name of a shard, without its suffix and partitions, so that ids
// are as long as in the dataset on average.
func (s *sample) nameLength(name string) int {
	most := len(fmt.Sprint(len(s.chosen) - 1))
	return min(200, max(most, int(s.names/s.files)-len(filepath.Join(partitionOf(name), " "))+1-len(suffixOf(name))))
}

// partitionOf returns those directories of a file that define fields, so that a copy below them has
// the same fields.
func partitionOf(name string) string {
	dirs := strings.Split(filepath.Dir(name), string(filepath.Separator))
	return filepath.Join(slices.DeleteFunc(dirs, func(dir string) bool { return !strings.Contains(dir, "=") })...)
}

// suffixOf returns the suffix that the sample of a file has: that of its format, and .gz or .zst if the
// file is compressed.
func suffixOf(name string) string {
	ending := filepath.Ext(name)
	if dataform.PackingOf(name) == "" {
		return ending
	}
	if dataform.CompressionOf(name) == dataform.Plain { // reccat does not write bzip2 and xz
		ending = ".zst"
	}
	return filepath.Ext(strings.TrimSuffix(name, filepath.Ext(name))) + ending
}

// trialSteps lists the steps of the makefile, and the directories of their files.
var trialSteps = []struct{ name, dirs string }{
	{"keys", "keys"}, {"pairs", "pairs"}, {"bins", "bins"}, {"texts", "texts"}, {"scores", "scores"}, {"decisions", "decisions split"}, {"kept", ""},
}

// work is the directory of the makefile's files.
const work = "doppel.work"

// run runs the makefile step by step, and returns what each step cost.
func (t *trial) run(parts int) ([]forecast.Trial, error) {
	p, err := t.f.parts(t.shards)
	if err != nil {
		return nil, err
	}
	p.N, p.Batch, p.NoSync = parts, int64(t.f.Job.Batch), true
	for _, program := range []string{"make", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("%s: not in PATH: --plan runs a makefile, which needs make and bash", program)
		}
	}
	var text bytes.Buffer
	if err := p.Print(&text, plan.Make); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(t.dir, "doppel.mk"), text.Bytes(), 0o600); err != nil {
		return nil, err
	}
	batches := float64(len(p.Batches()))
	tasks := map[string]float64{"keys": batches, "texts": batches, "kept": batches, "pairs": float64(parts), "scores": float64(parts)}
	var all []forecast.Trial
	for _, step := range trialSteps {
		var errs bytes.Buffer
		c := exec.Command("make", "-s", "-f", "doppel.mk", "WORK="+work, "OUT=kept", "IN=", "FETCH=", "STORE=", step.name)
		c.Dir, c.Stdout, c.Stderr, c.Env = t.dir, &errs, &errs, append(os.Environ(), "LC_ALL=C", "MAKEFLAGS=")
		if err := c.Run(); err != nil {
			first, _, _ := strings.Cut(errs.String(), "\n")
			return nil, fmt.Errorf("running the makefile on a sample of the data: %w: %s", err, first)
		}
		one := forecast.Trial{Name: step.name, Tasks: max(1, tasks[step.name])}
		one.Seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
		for dir := range strings.FieldsSeq(step.dirs) {
			n, err := sizeBelow(filepath.Join(t.dir, work, dir))
			if err != nil {
				return nil, err
			}
			one.Scratch += n
		}
		all = append(all, one)
	}
	return all, nil
}

// sizeBelow returns the total size of the files below a directory, or the size of a file.
func sizeBelow(name string) (bytes float64, err error) {
	err = filepath.WalkDir(name, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += float64(info.Size())
		}
		return err
	})
	return bytes, err
}

// pairs returns the number of candidate pairs of the run, of records in the same file and in two files,
// and the number of records in pairs.
func (t *trial) pairs() (within, across, paired float64, err error) {
	seen := map[string]bool{}
	var p line.Pair
	err = lineio.Each(t.e, []string{filepath.Join(t.dir, work, "bins/pairs")}, func(text []byte) error {
		if err := p.Parse(text); err != nil {
			return err
		}
		if fileOf(p.A) == fileOf(p.B) {
			within++
		} else {
			across++
		}
		seen[string(p.A)], seen[string(p.B)] = true, true
		return nil
	})
	return within, across, float64(len(seen)), err
}

// fileOf returns the name of the file in an id of the form file:ordinal.
func fileOf(id []byte) string { return string(id[:max(0, bytes.LastIndexByte(id, ':'))]) }
