package output

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"doppel/pkg/files/durable"
	"doppel/pkg/record/dataform"
)

// If -o names a directory, a run writes one output for each input, under the name of the input.
// These outputs belong to the run, not to the stage that writes them: they are renamed into place
// at the end, together with the other outputs of the run.

// HasShards reports whether Reserve was called.
func (o *Set) HasShards() bool { return o.shards != nil }

// Reserve reserves the names of outputs in a directory, and creates the directories that they are in.
func (o *Set) Reserve(dir string, shards []Shard) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shards = map[string]Shard{}
	for _, s := range shards {
		if err := checkDir(filepath.Dir(s.Place), s.Place, o.Collections); err != nil {
			return err
		}
	}
	if err := o.makeDir(filepath.Clean(dir)); err != nil {
		return err
	}
	for _, s := range shards {
		o.inputs = append(o.inputs, s.Input)
	}
	read := identify(o.inputs)
	for _, s := range shards {
		if err := o.makeDir(filepath.Dir(s.Place)); err != nil {
			return err
		}
		further, err := o.add(s.Place, "", read)
		if err == nil {
			s.path, err = further.file.delegate()
		}
		if err != nil {
			return err
		}
		o.shards[s.Input] = s
	}
	return nil
}

// makeDir creates a directory and its missing parents. It records the directories that it creates,
// so that they are removed if the run fails.
func (o *Set) makeDir(dir string) error {
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

// OpenShard opens the output that Reserve has reserved for an input. The function packing returns how to
// compress an output with a given name.
func (o *Set) OpenShard(input string, packing func(place string) (dataform.Packing, error)) (io.WriteCloser, error) {
	s, ok := o.shards[input]
	if !ok {
		return nil, fmt.Errorf("%s: not found at the start of the run, so the input has no output", input)
	}
	how, err := packing(s.Place)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if f, err = durable.Renamed(f, s.Place); err != nil {
		return nil, err
	}
	out := &shardWriter{output: output{raw: f}, file: f}
	_, err = out.compress(how)
	return out, err
}

// A shardWriter compresses an output and writes it to the temporary file of its shard.
type shardWriter struct {
	output
	file *os.File
}

func (s *shardWriter) Write(p []byte) (int, error) { return s.w.Write(p) }

func (s *shardWriter) Close() error { return cmp.Or(s.output.close(), s.file.Close()) }
