package pipeline

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/plan"
	"doppel/pkg/plan/forecast"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
)

// A probe measures the costs of a run in parts by running its filters on a part of the data. Each
// filter is a separate program, as in the makefile.
type probe struct {
	f     *Fuzzy
	e     *tool.Env
	dir   string
	files []string
	bytes float64 // total size of the files in bytes
}

// probeBytes is the approximate maximum number of bytes that the filters read.
const probeBytes = 64 << 20

// probe measures the cost of the steps on this machine with a part of the surveyed files.
func (f *Fuzzy) probe(e *tool.Env, s *survey, parts int) (*forecast.Costs, error) {
	dir, err := os.MkdirTemp("", "doppel-plan-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p := &probe{f: f, e: e, dir: dir}
	if err := p.choose(s); err != nil {
		return nil, err
	}
	k, err := p.measure(s, parts)
	if err != nil {
		return nil, fmt.Errorf("measuring the steps on a sample of the data: %w", err)
	}
	return k, nil
}

// choose selects files until they have at least probeBytes/2 bytes. It skips files of more than
// probeBytes bytes. However, if the first file is that large, choose copies the first records of
// that file and selects only the copy.
func (p *probe) choose(s *survey) error {
	for _, name := range s.read {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if size := float64(info.Size()); size > probeBytes {
			if len(p.files) > 0 {
				continue
			}
			head := reccat.Default()
			head.Head = int64(s.data.Records * probeBytes / s.data.Bytes)
			head.Records.Dialect, head.Records.Lines, head.Records.MaxRecord = p.f.Records.Dialect, p.f.Records.Lines, p.f.Records.MaxRecord
			dir := p.path(partitionOf(name))
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			_, suffixes, dotted := strings.Cut(filepath.Base(name), ".")
			if head.OutputName = filepath.Join(dir, "piece"); dotted {
				head.OutputName += "." + suffixes
			}
			head.NoSync = true
			if _, err := p.run(plan.Tool("reccat", &head).On(name).Shell()); err != nil {
				return err
			}
			if info, err = os.Stat(head.OutputName); err != nil {
				return err
			}
			p.files, p.bytes = append(p.files, head.OutputName), float64(info.Size())
			return nil
		}
		p.files, p.bytes = append(p.files, name), p.bytes+float64(info.Size())
		if p.bytes >= probeBytes/2 {
			return nil
		}
	}
	return nil
}

// partitionOf returns those directories of a file that define fields, so that a copy below them has
// the same fields.
func partitionOf(name string) string {
	dirs := strings.Split(filepath.Dir(name), string(filepath.Separator))
	return filepath.Join(slices.DeleteFunc(dirs, func(dir string) bool { return !strings.Contains(dir, "=") })...)
}

func (p *probe) path(name string) string { return filepath.Join(p.dir, name) }

// run runs a shell script and returns the script's processor time in seconds. In the script, $d is
// p.dir.
func (p *probe) run(text string) (float64, error) {
	var errs bytes.Buffer
	c := exec.Command("sh", "-c", text)
	c.Env, c.Stderr = append(os.Environ(), "LC_ALL=C", "d="+p.dir), &errs
	if err := c.Run(); err != nil || errs.Len() > 0 {
		return 0, fmt.Errorf("%s", cmp.Or(strings.TrimSpace(errs.String()), fmt.Sprint(err)))
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), nil
}

// measure runs each step on the chosen files and returns the costs. It stores the average sizes of
// text lines and keys in s.data.
func (p *probe) measure(s *survey, parts int) (*forecast.Costs, error) {
	stages, err := p.f.parts(p.files)
	if err != nil {
		return nil, err
	}
	var failed error
	// took returns the processor time of a script, in seconds. After a failure, took runs no more
	// scripts.
	took := func(format string, args ...any) float64 {
		if failed != nil {
			return 0
		}
		var seconds float64
		seconds, failed = p.run(fmt.Sprintf(format, args...))
		return seconds
	}
	const keys = `mkdir "$d/%s" && %s | %s --parts=%d --into="$d/%[1]s/keys.zst" --no-sync`
	if failed = os.WriteFile(p.path("none"), nil, 0o600); failed != nil {
		return nil, failed
	}
	k := new(forecast.Costs)
	none := stages.Sign.On(p.path("none")).Shell()
	k.Begin = took(keys, "nokeys", none, stages.Keys.Shell(), 1)
	begin := took(keys, "noparts", none, stages.Keys.Shell(), parts)
	over := func(seconds, count float64) float64 { return max(0, seconds-k.Begin) / max(1, count) }
	k.Keys = max(0, took(keys, "keys", stages.Sign.On(p.files...).Shell(), stages.Keys.Shell(), parts)-begin) / p.bytes
	pair := took(`%s "$d"/keys/*.zst > "$d/pairs"`, stages.Pairs.Shell())
	texts := stages.Texts.On(p.files...).Shell()
	scan := took(`%s --keep="$d/none" | awk '{ print > ENVIRON["d"] "/texts" }'`, texts)
	fetch := took(`%s --drop="$d/none" | awk '{ print > ENVIRON["d"] "/texts" }'`, texts)
	if failed != nil {
		return nil, failed
	}
	l, err := p.writeLists()
	if err != nil {
		return nil, err
	}
	k.Pair, k.Scan, k.Fetch = over(pair, l.texts*float64(s.bands)), over(scan, p.bytes), max(0, fetch-scan)/l.bytes
	chain := took(`%s --texts="$d/texts" "$d/chain" > "$d/scores"`, stages.Verify.Shell())
	mesh := took(`%s --texts="$d/texts" "$d/mesh" > "$d/scores"`, stages.Verify.Shell())
	k.Load, k.Score = over(chain, l.bytes), max(0, mesh-chain)/max(1, l.mesh-l.chain)
	rank := took(`%s "$d/none" > "$d/decisions"`, stages.Decide.Shell())
	decide := took(`%s "$d/scored" > "$d/decisions"`, stages.Decide.Shell())
	k.Rank, k.Decide = over(rank, p.bytes), max(0, decide-rank)/max(1, l.mesh)
	k.Apply = over(took(`%s --decisions="$d/none" > "$d/kept"`, stages.Apply.On(p.files...).Shell()), p.bytes)
	s.data.Line = (l.bytes-l.ids)/l.texts + s.data.ID
	files, _ := filepath.Glob(p.path("keys/*.zst"))
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			s.data.KeyBytes += float64(info.Size()) / max(1, l.texts*float64(s.bands))
		}
	}
	return k, failed
}

// listSizes holds the sizes of the lists of pairs, and of the file with the fetched texts.
type listSizes struct {
	texts, bytes, ids float64 // number of fetched texts, size of their lines in bytes, and size of their ids in bytes
	chain, mesh       float64 // numbers of pairs in the file named chain and in the file named mesh
}

// writeLists writes three lists of pairs of the fetched texts, and returns the sizes of the texts
// and of the lists. The file named chain pairs each text with the next text. The file named mesh
// pairs each text with the next eight texts. The file named scored is a copy of mesh with scores.
func (p *probe) writeLists() (l listSizes, err error) {
	text, err := os.ReadFile(p.path("texts"))
	if err != nil {
		return l, err
	}
	var ids [][]byte
	for line := range bytes.Lines(text) {
		id, _, _ := bytes.Cut(line, []byte{'\t'})
		ids, l.ids = append(ids, id), l.ids+float64(len(id))
	}
	l.texts, l.bytes = float64(len(ids)), float64(len(text))
	var chain, mesh, scored []byte
	for i, a := range ids {
		for n, b := range ids[min(len(ids), i+1):min(len(ids), i+9)] {
			one := slices.Concat(a, []byte{'\t'}, b)
			if n == 0 {
				chain, l.chain = append(append(chain, one...), '\n'), l.chain+1
			}
			mesh, scored, l.mesh = append(append(mesh, one...), '\n'), append(append(scored, one...), "\t0.9000\t0.9500\t0.9500\t100\t100\n"...), l.mesh+1
		}
	}
	for name, text := range map[string][]byte{"chain": chain, "mesh": mesh, "scored": scored} {
		if err := os.WriteFile(p.path(name), text, 0o600); err != nil {
			return l, err
		}
	}
	return l, nil
}
