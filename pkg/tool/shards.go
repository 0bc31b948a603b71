package tool

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
)

// If -o names a directory, a run writes one output for each input, under the name of the input.
// These outputs belong to the run, not to the stage that writes them: they are renamed into place
// at the end, together with the other outputs of the run.

// A shard is the output of one input.
type shard struct {
	input string // name of the input
	place string
	path  string // temporary name that the output has until the end of the run
}

// ReserveShards reserves the names of the outputs if -o names a directory. It returns an error if
// some inputs cannot have separate outputs there. If dry is set, it only checks the inputs. If -o
// does not name a directory, it does nothing.
func (e *Env) ReserveShards(c *flags.Common, operands []string, dry bool) error {
	if !c.Directory() || e.outputs.shards != nil {
		return nil
	}
	shards, err := e.planShards(c, operands)
	if err != nil || dry {
		return err
	}
	return e.outputs.reserveShards(c.OutputName, shards)
}

// Shards returns the input files and, for each of them, the name of its output. A directory among
// the operands stands for the data files in it.
func (e *Env) Shards(c *flags.Common, operands []string) (inputs, outputs []string, err error) {
	shards, err := e.planShards(c, operands)
	for _, s := range shards {
		inputs, outputs = append(inputs, s.input), append(outputs, s.place)
	}
	return inputs, outputs, err
}

// planShards determines the output of each input, without reading the inputs.
func (e *Env) planShards(c *flags.Common, operands []string) (shards []shard, err error) {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	taken := map[string]string{} // inputs by destination
	for _, operand := range operands {
		inputs, root := []string{operand}, "."
		info, err := os.Stat(operand)
		display, copied := e.Called[operand]
		if operand == "-" {
			display = "<stdin>"
		}
		switch {
		case operand == "-" || copied || err == nil && !info.IsDir() && !info.Mode().IsRegular():
			err := UsageError("-o %s: the input %s has no name for its output file", c.OutputName, cmp.Or(display, operand))
			return nil, msg.WithHint(err, "name input files, or write one output: -o FILE")
		case err != nil:
			return nil, &fs.PathError{Op: "open", Path: operand, Err: err.(*fs.PathError).Err}
		case info.IsDir():
			root = operand
			if inputs, err = record.DataFiles(operand); err != nil {
				return nil, err
			}
		}
		for _, input := range inputs {
			place, err := shardPlace(c, root, input)
			if err != nil {
				return nil, err
			}
			if before := taken[place]; before != "" {
				return nil, errOnePlace(c, before, input, place)
			}
			if c.To == "" {
				err = dataform.CheckOutput(place)
			}
			if err == nil {
				_, err = formOf(c, place, "")
			}
			if err != nil {
				return nil, err
			}
			taken[place] = input
			shards = append(shards, shard{input: input, place: place})
		}
	}
	return shards, nil
}

// shardPlace returns the destination of the output for an input. With --tree, the destination keeps
// the input's path relative to root.
func shardPlace(c *flags.Common, root, input string) (string, error) {
	name := filepath.Base(input)
	if c.Tree {
		var err error
		if name, err = filepath.Rel(root, input); err != nil || !filepath.IsLocal(name) {
			err := fmt.Errorf("%s: --tree needs a relative path, and this path would lead out of %s", input, c.OutputName)
			return "", msg.WithHint(err, "run in a directory above all inputs, or name that directory as the operand")
		}
	}
	return filepath.Join(c.OutputName, dataform.Renamed(name, c.To)), nil
}

// errOnePlace returns the error for two inputs that would have the same output.
func errOnePlace(c *flags.Common, a, b, place string) error {
	if filepath.Clean(a) == filepath.Clean(b) {
		return msg.WithHint(fmt.Errorf("%s: named as an input twice, but -o %s writes one output for each input", b, c.OutputName), "name each input once")
	}
	err := fmt.Errorf("%s and %s: outputs would have the same name, %s", a, b, place)
	if filepath.Base(a) != filepath.Base(b) || c.Tree {
		return msg.WithHint(err, "write to two directories, in two runs")
	}
	return msg.WithHint(err, "--tree keeps the paths of the inputs below %s", c.OutputName)
}

// reserveShards reserves the names of the outputs, and creates their directories.
func (o *outputs) reserveShards(dir string, shards []shard) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shards = map[string]shard{}
	if err := o.makeDir(filepath.Clean(dir)); err != nil {
		return err
	}
	for _, s := range shards {
		o.inputs = append(o.inputs, s.input)
	}
	read := o.inputs.identify()
	for _, s := range shards {
		if err := o.makeDir(filepath.Dir(s.place)); err != nil {
			return err
		}
		further, err := o.add(s.place, "", read)
		if err == nil {
			s.path, err = further.file.vacate()
		}
		if err != nil {
			return err
		}
		o.shards[s.input] = s
	}
	return nil
}

// makeDir creates a directory and its missing parents. It records the directories that it creates,
// so that they are removed if the run fails.
func (o *outputs) makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
		}
		return nil
	}
	if above := filepath.Dir(dir); above != dir {
		if err := o.makeDir(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	o.made = append(o.made, dir)
	return nil
}

// openShard opens the output that ReserveShards has reserved for an input.
func (e *Env) openShard(input string) (io.WriteCloser, error) {
	s, ok := e.root().outputs.shards[input]
	if !ok {
		return nil, fmt.Errorf("%s: not found at the start of the run, so the input has no output", input)
	}
	packing, err := formOf(&e.Common, s.place, "")
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if f, err = renamed(f, s.place); err != nil {
		return nil, err
	}
	out := &shardWriter{output: output{raw: f}, file: f}
	_, err = out.compress(packing.Packing)
	return out, err
}

// A shardWriter compresses an output and writes it to the temporary file of its shard.
type shardWriter struct {
	output
	file *os.File
}

func (s *shardWriter) Write(p []byte) (int, error) { return s.w.Write(p) }

func (s *shardWriter) Close() error { return cmp.Or(s.output.close(), s.file.Close()) }

// linesRefused is the main output of a run that writes shards. Every Write returns an error.
type linesRefused struct{ dir string }

func (l linesRefused) Write([]byte) (int, error) {
	return 0, fmt.Errorf("%s: a directory, but lines are written to one file", l.dir)
}
