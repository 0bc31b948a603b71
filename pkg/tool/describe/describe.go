// Package describe writes the manifest of a run, and takes the options of another run from its manifest.
package describe

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/files"
	"doppel/pkg/flagset"
	"doppel/pkg/manifest"
	"doppel/pkg/msg"
	"doppel/pkg/output"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
)

// A Run is a run to describe.
type Run struct {
	*flags.Common
	Command string         // name of the command
	Version string         // version of the program
	Flags   *pflag.FlagSet // the parsed flags of the command
	Options any            // the options of the command; it may be a Namer
	Lists   bool           // the main output is a list of lines, not records
	Packing dataform.Packing
	Set     *output.Set // the outputs of the run
	Note    func(format string, args ...any)
}

// A Description is a manifest that is being made. Its file is reserved before the run, and written
// when the outputs of the run are in their places.
type Description struct {
	manifest.Manifest
	run     *Run
	options record.Options // how the run reads records
	before  []os.FileInfo  // the inputs before the run
	lists   []string       // flags of outputs that are lists of lines, not records
	to      output.Set     // has only the file of the manifest
	file    *bufio.Writer
}

// unrecorded lists the flags that a manifest omits, because they say nothing about the result.
var unrecorded = []string{"manifest", "finished", "print", "parts", "batch", "no-sync", "no-wait", "verbose", "stats", "progress", "no-progress"}

// New returns the description of a run, without sizes and checksums, and reserves its file. It returns
// nil without --manifest. It returns an error if the run reads or writes something without a name.
func New(r *Run) (*Description, error) {
	if r.Manifest == "" {
		return nil, nil
	}
	for _, name := range []string{"dry-run", "plan"} {
		if f := r.Flags.Lookup(name); f != nil && f.Changed {
			return nil, flags.UsageError("--%s writes no records, so it cannot be used with --manifest", name)
		}
	}
	printed := r.value("print")
	if printed != "" && r.Finished {
		return nil, flags.UsageError("--finished and --print cannot be used together")
	} else if printed == "json" {
		return nil, flags.UsageError("--manifest cannot be used with --print=json: the program that runs the plan knows its files")
	} else if printed != "" && printed != "sh" {
		return nil, nil // the results of a makefile have names of their own
	}
	d := &Description{run: r, options: recordsOf(r.Flags)}
	if err := d.fill(); err != nil {
		return nil, err
	}
	if _, err := d.Encode(); err != nil || printed != "" { // names that are not UTF-8 are refused before the run
		return nil, err
	}
	for _, in := range d.Inputs {
		info, err := os.Stat(in.Name)
		if err != nil && !os.IsNotExist(err) { // the run reports a missing file
			return nil, err
		}
		d.before = append(d.before, info)
	}
	return d, d.reserve()
}

// fill fills in what is known before the run.
func (d *Description) fill() (err error) {
	fs := d.run.Flags
	d.Version, d.Doppel, d.Start = manifest.Version, d.run.Version, time.Now()
	d.Command, d.Options, d.Operands = strings.TrimPrefix(d.run.Command, "doppel "), flagset.Given(fs, unrecorded...), fs.Args()
	if seed := fs.Lookup("seed"); seed != nil {
		n, err := strconv.ParseUint(seed.Value.String(), 10, 64)
		if err != nil {
			return err
		}
		d.Seed = &n
	}
	operands, outputs := d.Operands, []string{d.run.value("output")}
	if named, ok := d.run.Options.(Namer); ok {
		if operands, outputs, err = named.Names(operands); err != nil {
			return err
		}
	}
	if d.run.Lists {
		d.lists = append(d.lists, "output")
	}
	return cmp.Or(d.addInputs(fs, operands), d.addOutputs(fs, operands, outputs), d.checkPlace(d.run.value("key")))
}

// reserve creates the file of the manifest.
func (d *Description) reserve() (err error) {
	d.to.Reads(d.run.Set.Inputs()...)
	d.to.NoSync, d.to.Collections = d.run.NoSync, d.run.Set.Collections
	d.run.Set.AddStage(&d.to)
	d.file, err = d.to.Open(nil, d.run.Manifest, d.run.Packing)
	return err
}

// Finishing returns the words of the command that writes the manifest of a printed run when the run is
// over: the command with its options, except --manifest itself.
func Finishing(command string, fs *pflag.FlagSet) []string {
	return slices.Concat(strings.Fields(command), []string{"--finished"}, flagset.Given(fs, unrecorded...))
}

// A Namer is an Options with further ways to name the records and the main output than operands and
// -o. Names returns both; it returns no output if the run has no main output.
type Namer interface {
	Names(operands []string) (inputs, outputs []string, err error)
}

// recordsOf returns the options for reading records that fs sets, as far as they concern where a
// record begins and ends.
func recordsOf(fs *pflag.FlagSet) record.Options {
	var c flags.Common
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Flags(own, flags.IDs)
	fs.Visit(func(f *pflag.Flag) {
		if to := own.Lookup(f.Name); to != nil && slices.Contains(append([]string{"lines", "max-record"}, flags.DialectFlags...), f.Name) {
			to.Value.Set(f.Value.String()) // has been parsed once
		}
	})
	c.Records.NoText, c.Records.Torn = true, true
	return c.Records
}

// addInputs adds the operands, and the files that the flags marked by flags.MarkRead name.
func (d *Description) addInputs(fs *pflag.FlagSet, operands []string) (err error) {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	add := func(option string, names []string) {
		for _, name := range names {
			files, ferr := record.FilesOf(name)
			if ferr == nil {
				ferr = checkManifested(cmp.Or(option, "operand"), name, true)
			}
			for _, file := range files {
				d.Inputs = append(d.Inputs, manifest.File{Option: option, Name: file})
			}
			err = cmp.Or(err, ferr)
		}
	}
	add("", operands)
	fs.VisitAll(func(f *pflag.Flag) {
		if flags.Read(f) && f.Value.String() != "" {
			add(f.Name, slices.DeleteFunc(flagset.Values(f), d.run.isCollection))
		}
	})
	return err
}

// addOutputs adds the main output, if there is one, and the files that the flags marked by
// flags.MarkWritten name. If the main output is a directory, addOutputs adds the outputs in it.
func (d *Description) addOutputs(fs *pflag.FlagSet, operands, places []string) (err error) {
	c := flags.Common{Destination: flags.Destination{Tree: d.run.value("tree") == "true", To: d.run.value("to")}}
	if len(places) > 0 {
		c.OutputName = places[0]
	}
	if c.Directory() {
		shards, err := c.Shards(operands, d.run.Set.Called)
		if err != nil {
			return err
		}
		places = nil
		for _, s := range shards {
			places = append(places, s.Place)
		}
	}
	for _, place := range places {
		d.Outputs = append(d.Outputs, manifest.File{Option: "output", Name: place})
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if name := f.Value.String(); flags.Written(f) && !flags.Read(f) && f.Value.Type() == "string" && name != "" && f.Name != "output" && f.Name != "manifest" && !d.run.isCollection(name) {
			d.Outputs = append(d.Outputs, manifest.File{Option: f.Name, Name: name})
			if f.Name != "removed" {
				d.lists = append(d.lists, f.Name)
			}
		}
	})
	var names []string
	for _, one := range d.Outputs {
		names = append(names, one.Name)
	}
	if name, input, ok := d.run.Set.Replaced(names); ok && !d.run.Finished {
		return msg.WithHint(flags.UsageError("--manifest describes inputs that stay, and %s replaces %s", name, input), "write to another file")
	}
	for _, one := range d.Outputs {
		err = cmp.Or(err, checkManifested(one.Option, one.Name, d.run.Finished))
	}
	return err
}

// checkPlace returns an error if the manifest would replace an input, the file of --key or an output,
// under any name.
func (d *Description) checkPlace(key string) error {
	read := []string{key}
	for _, in := range d.Inputs {
		read = append(read, in.Name)
	}
	if err := output.CheckName(d.run.Manifest, read...); err != nil {
		return err
	}
	for _, one := range d.Outputs {
		same, err := output.SamePlace(one.Name, d.run.Manifest)
		if err != nil {
			return err
		}
		if same {
			return fmt.Errorf("%s: named as an output twice", one.Name)
		}
	}
	return nil
}

// isCollection reports whether a name is that of a collection, which the run describes itself.
func (r *Run) isCollection(name string) bool { return slices.Contains(r.Set.Collections, name) }

// value returns the value of a flag, or "" if the command has no such flag.
func (r *Run) value(name string) string {
	if f := r.Flags.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// checkManifested returns an error if a name does not lead to a regular file or a directory. A missing
// file is an error only if it must be there.
func checkManifested(option, name string, there bool) error {
	info, err := os.Stat(name)
	switch {
	case name == "" || name == "-":
		err = msg.WithHint(flags.UsageError("--manifest needs the names of all inputs and outputs"), "name the inputs as operands, and the output with -o FILE")
	case errors.Is(err, os.ErrNotExist) && !there:
		return nil
	case err == nil && (files.NamesStream(name) || !info.Mode().IsRegular() && !info.IsDir()):
		err = flags.UsageError("%s is not a file: --manifest needs files", name)
	}
	return err
}

// End writes the manifest if err, the error of the run, is nil. Otherwise it discards the manifest, and
// returns err. It also discards the manifest if the run is incomplete. The statistics are what the run
// printed as JSON; nil if nothing. The receiver is nil without --manifest.
func (d *Description) End(err error, incomplete bool, statistics any, collections []manifest.Collection) error {
	if d == nil {
		return err
	}
	if err == nil && incomplete {
		d.run.Note("%s is not written, because the run ends with status 2", d.run.Manifest)
		d.to.Close(errIncomplete)
		return nil
	}
	if err == nil {
		d.Collections = collections
		err = d.write(statistics)
	}
	return d.to.Close(err)
}

// errIncomplete discards the manifest of a run that left out records.
var errIncomplete = errors.New("incomplete")

// write measures all files, and writes the manifest to its buffer.
func (d *Description) write(statistics any) error {
	if d.run.Finished {
		d.Start = time.Time{}
	} else {
		d.Seconds = float64(time.Since(d.Start).Milliseconds()) / 1000
	}
	if statistics != nil {
		text, err := json.Marshal(statistics)
		if err != nil {
			return err
		}
		d.Counts = text
	}
	for _, files := range [][]manifest.File{d.Inputs, d.Outputs} {
		for i := range files {
			if err := d.measure(&files[i]); err != nil {
				return err
			}
		}
	}
	for i, in := range d.Inputs {
		now, err := os.Stat(in.Name)
		if was := d.before[i]; err != nil || was == nil || !os.SameFile(was, now) || was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime()) {
			return fmt.Errorf("%s: changed during the run, so %s is not written", in.Name, d.run.Manifest)
		}
	}
	text, err := d.Encode()
	if err == nil {
		_, err = d.file.Write(text)
	}
	return err
}

// measure sets the size, the checksum, the form and the number of records of a file.
func (d *Description) measure(f *manifest.File) error {
	s, err := os.Open(f.Name)
	if err != nil {
		return err
	}
	defer s.Close()
	if f.Bytes, f.XXH3, err = manifest.Checksum(s); err != nil {
		return err
	}
	if slices.Contains([]string{"config", "measured", "report"}, f.Option) {
		f.Form = strings.TrimPrefix(strings.ToLower(filepath.Ext(f.Name)), ".")
		return nil
	}
	opt := d.options
	if slices.Contains(d.lists, f.Option) && !dataform.KindOf(f.Name).Columns {
		opt = record.Options{Lines: true, NoText: true}
	}
	f.Records, f.Form = count(f.Name, opt)
	return nil
}

// count returns the number of records of a file, or nil if it cannot be read as records, and the form
// of the file.
func count(name string, opt record.Options) (records *int64, form string) {
	n, b := int64(0), record.Batch{}
	rd, err := record.NewReader(record.Input{Names: []string{name}}, opt)
	if err != nil {
		return nil, ""
	}
	for err == nil {
		if err = rd.Next(&b); err == nil {
			n += int64(len(b.Records))
		}
	}
	if form = rd.Kind().Name; opt.Lines {
		form = "lines"
	}
	if c := dataform.CompressionOf(name); c != dataform.Plain {
		form += strings.ToLower(filepath.Ext(name))
	}
	if err != io.EOF {
		return nil, form
	}
	return &n, form
}
