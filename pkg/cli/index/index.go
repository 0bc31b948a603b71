// Package index implements doppel index, which lists, checks and changes a collection.
//
// See man/doppel-index.1.
package index

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/collection"
	"doppel/pkg/flagset"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel index. At most one of Check, Merge, Remove and Export is set;
// without any, the command lists the collection.
type Options struct {
	flags.Common
	Verify bool   // --check
	Merge  bool   // --merge
	Remove string // --remove: file of ids
	Export string // --export: ids or texts
	NoWait bool   // --no-wait
}

// Default returns options that list the collection.
func Default() Options { return Options{} }

// Flags registers the flags of doppel index.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Verify, "check", o.Verify, "read every file, and report those that are damaged")
	fs.BoolVar(&o.Merge, "merge", o.Merge, "merge all segments into one, and forget removed records")
	fs.StringVar(&o.Remove, "remove", o.Remove, "remove the records whose ids are in `LIST`")
	fs.StringVar(&o.Export, "export", o.Export, "write `WHAT` the collection holds; one of: ids or texts")
	fs.BoolVar(&o.NoWait, "no-wait", o.NoWait, "fail if another process is changing the collection")
	o.Common.Flags(fs, flags.JSON|flags.Output)
	flags.MarkRead(fs, "remove")
	flagset.Assign(fs, flagset.Collection, "check", "merge", "remove", "export")
	flagset.Assign(fs, flagset.Resources, "no-wait")
}

// Idle returns the flags that have no effect.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	changes, lists := o.Merge || o.Remove != "", !o.Verify && !o.Merge && o.Remove == ""
	i.When(!changes, "without --merge or --remove", "no-wait")
	i.When(!lists, "with --check, --merge or --remove", "json", "output")
	return i
}

// Check returns an error if the options cannot be used together.
func (o *Options) Check() error {
	switch {
	case flags.Count(o.Verify, o.Merge, o.Remove != "", o.Export != "") > 1:
		return tool.UsageError("only one of --check, --merge, --remove and --export can be given")
	case o.Export != "" && o.Export != "ids" && o.Export != "texts":
		return tool.UsageError("--export %q: want ids or texts", o.Export)
	}
	return o.Common.Check()
}

// Run lists, checks or changes the collection that the operand names.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if len(operands) != 1 {
		return tool.UsageError("want one collection: a directory")
	}
	dir := operands[0]
	switch {
	case o.Verify:
		return check(e, dir)
	case o.Merge || o.Remove != "":
		return o.change(e, dir)
	}
	c, err := collection.Open(dir)
	if err != nil {
		return err
	}
	if o.Export != "" {
		err = o.export(e, c, dir)
	} else {
		err = list(e, c)
	}
	return cmp.Or(err, c.Close())
}

// check reports each fault of a collection as a message.
func check(e *tool.Env, dir string) error { return collection.Check(dir, e.Warn) }

// change merges the segments of a collection, or removes records from it.
func (o *Options) change(e *tool.Env, dir string) error {
	w, err := collection.OpenWriter(dir, collection.WriteOptions{NoWait: o.NoWait, Note: e.Note})
	if err != nil {
		return err
	}
	if o.Merge {
		_, err = w.Merge()
	} else {
		err = removeIDs(e, w, o.Remove)
	}
	return cmp.Or(err, w.Close())
}

// export writes the ids of a collection, or its ids and texts.
func (o *Options) export(e *tool.Env, c *collection.Collection, dir string) error {
	switch s := c.Scheme(); {
	case o.Export == "texts" && s.Rest:
		return fmt.Errorf("%s: the collection has hashes, not texts, because doppel exact made it", dir)
	case o.Export == "texts" && s.SignatureBytes > 0:
		return fmt.Errorf("%s: the collection has signatures, not texts, because it was made with --estimate", dir)
	}
	format := lineio.Format(e)
	var buf []byte
	return c.Each(func(id, text []byte) error {
		w := format.Begin(buf[:0])
		w.Bytes("id", id)
		if o.Export == "texts" {
			w.Bytes("text", text)
		}
		buf = w.End()
		_, err := e.Out.Write(buf)
		return err
	})
}

// A summary is what the command lists.
type summary struct {
	Records int64 `json:"records"` // number of records that are not removed
	Removed int64 `json:"removed"`
	Bytes   int64 `json:"bytes"`
	collection.Scheme
	Segments []part `json:"segments"`
}

// A part describes a segment.
type part struct {
	Records int64 `json:"records"`
	Removed int64 `json:"removed"`
	Keys    int64 `json:"keys"`  // size of the file of keys in bytes
	Texts   int64 `json:"texts"` // size of the file of ids and texts in bytes

	Signatures int64 `json:"signatures,omitempty"` // size of the file of signatures in bytes
}

// list writes a summary of a collection, a line per value or as an object.
func list(e *tool.Env, c *collection.Collection) error {
	s := summary{Scheme: c.Scheme(), Segments: []part{}}
	for _, x := range c.Segments() {
		p := part{Records: x.Records - x.Removed, Removed: x.Removed, Keys: x.Keys.Bytes, Texts: x.Texts.Bytes}
		if x.Signatures != nil {
			p.Signatures = x.Signatures.Bytes
		}
		s.Segments = append(s.Segments, p)
		s.Records += x.Records - x.Removed
		s.Removed += x.Removed
		s.Bytes += x.Bytes()
	}
	if e.JSON {
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		_, err = e.Out.Write(append(text, '\n'))
		return err
	}
	line := func(name, value string) { fmt.Fprintf(e.Out, "%s\t%s\n", name, value) }
	line("records", strconv.FormatInt(s.Records, 10))
	line("removed", strconv.FormatInt(s.Removed, 10))
	line("segments", strconv.Itoa(len(s.Segments)))
	line("bytes", strconv.FormatInt(s.Bytes, 10))
	line("command", "doppel "+s.Tool)
	line("scheme", s.Signature)
	if s.SignatureBytes > 0 {
		line("estimate", fmt.Sprintf("from signatures of %d bytes", s.SignatureBytes))
	}
	if s.Threshold > 0 {
		line("threshold", strconv.FormatFloat(s.Threshold, 'g', -1, 64))
	}
	if s.Bands > 0 {
		line("bands", fmt.Sprintf("%d of %d rows", s.Bands, s.Rows))
	}
	if s.Field != "" {
		line("field", s.Field)
	}
	return nil
}
