package tool

import (
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

	"doppel/pkg/flagset"
	"doppel/pkg/manifest"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
)

// A description is a manifest that is being made. Its file is reserved before the run, and written
// when the outputs of the run are in their places.
type description struct {
	manifest.Manifest
	e       *Env
	options record.Options // how the run reads records
	before  []os.FileInfo  // the inputs before the run
	lists   []string       // flags of outputs that are lists of lines, not records
	to      outputs        // has only the file of the manifest
}

// unrecorded lists the flags that a manifest omits, because they say nothing about the result.
var unrecorded = []string{"manifest", "finished", "print", "parts", "batch", "no-sync", "verbose", "stats", "progress", "no-progress"}

// describe returns the description of a run, without sizes and checksums, and reserves its file. It
// returns nil without --manifest. It returns an error if the run reads or writes something without a
// name.
func (e *Env) describe(c *Command, fs *pflag.FlagSet) (*description, error) {
	if e.Manifest == "" {
		return nil, nil
	}
	for _, name := range []string{"dry-run", "plan"} {
		if f := fs.Lookup(name); f != nil && f.Changed {
			return nil, UsageError("--%s writes no records, so it cannot be used with --manifest", name)
		}
	}
	printed := valueOf(fs, "print")
	if printed != "" && e.Finished {
		return nil, UsageError("--finished and --print cannot be used together")
	} else if printed == "json" {
		return nil, UsageError("--manifest cannot be used with --print=json: the program that runs the plan knows its files")
	} else if printed != "" && printed != "sh" {
		return nil, nil // the results of a makefile have names of their own
	}
	d := &description{e: e, options: recordsOf(fs)}
	d.Version, d.Doppel, d.Start = manifest.Version, cmp.Or(Built(), devel), time.Now()
	d.Command, d.Options, d.Operands = strings.TrimPrefix(c.Name, "doppel "), flagset.Given(fs, unrecorded...), fs.Args()
	if seed := fs.Lookup("seed"); seed != nil {
		n, err := strconv.ParseUint(seed.Value.String(), 10, 64)
		if err != nil {
			return nil, err
		}
		d.Seed = &n
	}
	operands, outputs := d.Operands, []string{valueOf(fs, "output")}
	if named, ok := c.Options.(Namer); ok {
		var err error
		if operands, outputs, err = named.Names(operands); err != nil {
			return nil, err
		}
	}
	lister, ok := c.Options.(Lister)
	if fs.Lookup("to") == nil && fs.Lookup("config") == nil || ok && lister.ListsLines() {
		d.lists = append(d.lists, "output")
	}
	if err := cmp.Or(d.addInputs(fs, operands), d.addOutputs(fs, operands, outputs), d.checkPlace(valueOf(fs, "key"))); err != nil {
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
	d.to.inputs, d.to.noSync = e.outputs.inputs, e.NoSync
	e.outputs.holdSignals(func() { e.outputs.stages = append(e.outputs.stages, &d.to) })
	_, err := d.to.open(nil, e.Manifest, e.packing(e.Manifest))
	return d, err
}

// Describing returns the command that writes the manifest of a printed run when the run is over: the
// words of the command with its options, except --manifest itself, and the operands. It returns nil
// without --manifest.
func (e *Env) Describing() (command, operands []string) {
	if e.Manifest == "" {
		return nil, nil
	}
	options := flagset.Given(e.given, unrecorded...)
	return slices.Concat(strings.Fields(e.Name), []string{"--finished"}, options), e.given.Args()
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
func (d *description) addInputs(fs *pflag.FlagSet, operands []string) (err error) {
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
			add(f.Name, flagset.Values(f))
		}
	})
	return err
}

// addOutputs adds the main output, if there is one, and the files that the flags marked by
// flags.MarkWritten name. If the main output is a directory, addOutputs adds the outputs in it.
func (d *description) addOutputs(fs *pflag.FlagSet, operands, places []string) (err error) {
	c := flags.Common{Tree: valueOf(fs, "tree") == "true", To: valueOf(fs, "to")}
	if len(places) > 0 {
		c.OutputName = places[0]
	}
	if c.Directory() {
		if _, places, err = d.e.Shards(&c, operands); err != nil {
			return err
		}
	}
	for _, place := range places {
		d.Outputs = append(d.Outputs, manifest.File{Option: "output", Name: place})
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if name := f.Value.String(); flags.Written(f) && !flags.Read(f) && f.Value.Type() == "string" && name != "" && f.Name != "output" && f.Name != "manifest" {
			d.Outputs = append(d.Outputs, manifest.File{Option: f.Name, Name: name})
			if f.Name != "removed" {
				d.lists = append(d.lists, f.Name)
			}
		}
	})
	read := d.e.outputs.inputs.identify()
	for _, one := range d.Outputs {
		if info, serr := os.Stat(one.Name); serr == nil && !d.e.Finished {
			if name, replaces := read.otherName(info, ""); replaces {
				return msg.WithHint(UsageError("--manifest describes inputs that stay, and %s replaces %s", one.Name, name), "write to another file")
			}
		}
		err = cmp.Or(err, checkManifested(one.Option, one.Name, d.e.Finished))
	}
	return err
}

// checkPlace returns an error if the manifest would replace an input, the file of --key or an output,
// under any name.
func (d *description) checkPlace(key string) error {
	read := inputs{key}
	for _, in := range d.Inputs {
		read = append(read, in.Name)
	}
	if err := read.identify().check(d.e.Manifest, ""); err != nil {
		return err
	}
	place, err := followLinks(d.e.Manifest)
	if err != nil {
		return err
	}
	own := &atomicFile{place: place}
	for _, one := range d.Outputs {
		if place, err = followLinks(one.Name); err != nil {
			return err
		}
		if other := (&atomicFile{place: place}); other.canonical() == own.canonical() {
			return fmt.Errorf("%s: named as an output twice", one.Name)
		}
	}
	return nil
}

func valueOf(fs *pflag.FlagSet, name string) string {
	if f := fs.Lookup(name); f != nil {
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
		err = msg.WithHint(UsageError("--manifest needs the names of all inputs and outputs"), "name the inputs as operands, and the output with -o FILE")
	case errors.Is(err, os.ErrNotExist) && !there:
		return nil
	case err == nil && (record.NamesStream(name) || !info.Mode().IsRegular() && !info.IsDir()):
		err = UsageError("%s is not a file: --manifest needs files", name)
	}
	return err
}

// end writes the manifest if err, the error of the run, is nil. Otherwise it discards the manifest, and
// returns err. The receiver is nil without --manifest.
func (d *description) end(err error) error {
	if d == nil {
		return err
	}
	if err == nil && d.e.troubles.Load() > 0 {
		d.e.Note("%s is not written, because the run ends with status 2", d.e.Manifest)
		d.to.close(errIncomplete)
		return nil
	}
	if err == nil {
		err = d.write()
	}
	return d.to.close(err)
}

// errIncomplete discards the manifest of a run that left out records.
var errIncomplete = errors.New("incomplete")

// write measures all files, and writes the manifest to its buffer.
func (d *description) write() error {
	if d.e.Finished {
		d.Start = time.Time{}
	} else {
		d.Seconds = float64(time.Since(d.Start).Milliseconds()) / 1000
	}
	if d.e.Statistics != nil {
		text, err := json.Marshal(d.e.Statistics)
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
			return fmt.Errorf("%s: changed during the run, so %s is not written", in.Name, d.e.Manifest)
		}
	}
	text, err := d.Encode()
	if err == nil {
		_, err = d.to.main.w.Write(text)
	}
	return err
}

// measure sets the size, the checksum, the form and the number of records of a file.
func (d *description) measure(f *manifest.File) error {
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
	if slices.Contains(d.lists, f.Option) && dataform.KindOf(f.Name) != "parquet" {
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
	if form = rd.Kind(); opt.Lines {
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
