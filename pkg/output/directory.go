package output

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// A Shard is the output of one input.
type Shard struct {
	Input string // name of the input
	Place string // name of the output
	path  string // temporary name that the output has until the end of the run
}

// A Directory is a directory for the outputs of a run.
type Directory struct {
	Name string            // as given with -o
	To   string            // format of the outputs, as given with --to; "" for those of the inputs
	Tree bool              // the outputs keep the paths of the inputs below their directories
	Copy map[string]string // names of inputs without a name of their own, by the names used to open them
}

// Shards returns the output of each input, without reading the inputs. The inputs are the operands,
// and the data files below operands that are directories. Shards returns an error if two inputs would have the same output, or
// if check returns one for the name of an output.
func (d *Directory) Shards(operands []string, check func(place string) error) (shards []Shard, err error) {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	taken := map[string]string{} // inputs by destination
	for _, operand := range operands {
		inputs, root, err := d.inputs(operand)
		if err != nil {
			return nil, err
		}
		for _, input := range inputs {
			place, err := d.place(root, input)
			if err != nil {
				return nil, err
			}
			if before := taken[place]; before != "" {
				return nil, d.errOnePlace(before, input, place)
			}
			if err := check(place); err != nil {
				return nil, err
			}
			taken[place] = input
			shards = append(shards, Shard{Input: input, Place: place})
		}
	}
	return shards, nil
}

// inputs returns the files of an operand, and the directory that they are in.
func (d *Directory) inputs(operand string) (inputs []string, root string, err error) {
	info, err := os.Stat(operand)
	display, copied := d.Copy[operand]
	if operand == "-" {
		display = "<stdin>"
	}
	switch {
	case operand == "-" || copied || err == nil && !info.IsDir() && !info.Mode().IsRegular():
		err := fmt.Errorf("-o %s: the input %s has no name for its output file", d.Name, cmp.Or(display, operand))
		return nil, "", msg.WithHint(err, "name input files, or write one output: -o FILE")
	case err != nil:
		return nil, "", &fs.PathError{Op: "open", Path: operand, Err: err.(*fs.PathError).Err}
	case info.IsDir():
		inputs, err = record.FilesOf(operand)
		return inputs, operand, err
	}
	return []string{operand}, ".", nil
}

// place returns the destination of the output for an input. With Tree, the destination keeps the input's
// path relative to root.
func (d *Directory) place(root, input string) (string, error) {
	name := filepath.Base(input)
	if d.Tree {
		var err error
		if name, err = filepath.Rel(root, input); err != nil || !filepath.IsLocal(name) {
			err := fmt.Errorf("%s: --tree needs a relative path, and this path would lead out of %s", input, d.Name)
			return "", msg.WithHint(err, "run in a directory above all inputs, or name that directory as the operand")
		}
	}
	return filepath.Join(d.Name, dataform.Renamed(name, d.To)), nil
}

// errOnePlace returns the error for two inputs that would have the same output.
func (d *Directory) errOnePlace(a, b, place string) error {
	if filepath.Clean(a) == filepath.Clean(b) {
		return msg.WithHint(fmt.Errorf("%s: named as an input twice, but -o %s writes one output for each input", b, d.Name), "name each input once")
	}
	err := fmt.Errorf("%s and %s: outputs would have the same name, %s", a, b, place)
	if filepath.Base(a) != filepath.Base(b) || d.Tree {
		return msg.WithHint(err, "write to two directories, in two runs")
	}
	return msg.WithHint(err, "--tree keeps the paths of the inputs below %s", d.Name)
}
