// Package blockhash hashes the head, middle and tail blocks of files.
//
// See man/blockhash.1.
package blockhash

import (
	"github.com/spf13/pflag"

	"doppel/pkg/blockhash"
	"doppel/pkg/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// Options say which files are hashed, how, and what is written of them.
type Options struct {
	tool.Common
	Files     tool.Files   // where names come from
	Block     flagset.Size // bytes in a block, at least 1
	Blocks    int          // blocks of a file, at least 1
	Full      bool         // every byte is hashed
	Published bool         // blocks are chosen, and hashed, as the published method does
	Hash      string       // a blockhash.Kind; "": xxh64, or fnv1a if Published
	Key       string       // a file of 32 bytes, the key of highway
	Salts     []string     // what is hashed too: the names of salts
	Empty     bool         // empty files are not left out
	Bare      bool         // the hash alone is written
	Hardlinks Names        // what becomes of files of several names
}

// Default returns the options of a run without flags.
func Default() Options {
	return Options{
		Block:     flagset.Size(blockhash.Default.Block),
		Blocks:    blockhash.Default.Count,
		Hardlinks: Each,
	}
}

// Command returns the tool.
func Command() *tool.Command {
	o := Default()
	return &tool.Command{
		Name:    "blockhash",
		Summary: "hash the head, middle and tail blocks of files",
		Usage:   "[FILE...]",
		Options: &o,
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.VarP(&o.Block, "block", "B", "hash blocks of `SIZE` bytes")
	fs.IntVar(&o.Blocks, "blocks", o.Blocks, "hash `N` blocks of a file, spread over it")
	fs.BoolVar(&o.Full, "full", o.Full, "hash every byte")
	fs.BoolVar(&o.Published, "seed-compat", o.Published, "choose blocks and hash as the published method does")
	fs.StringVar(&o.Hash, "hash", o.Hash, "hash by `NAME`: fnv1a, xxh64 (the default), xxh3-128 or highway")
	fs.StringVar(&o.Key, "key", o.Key, "take the key of highway from `FILE`")
	fs.StringSliceVar(&o.Salts, "salt", o.Salts, "hash `FIELDS` too: mtime, ctime, ext, name, mode, uid, gid, dev")
	fs.BoolVar(&o.Empty, "empty", o.Empty, "do not leave out empty files")
	fs.BoolVar(&o.Bare, "bare", o.Bare, "write the hash alone")
	fs.StringVar((*string)(&o.Hardlinks), "hardlinks", string(o.Hardlinks), "what to do with a file of several names, `HOW`: each, once or mark")
	o.Files.Flags(fs)
	o.Common.Flags(fs, tool.Null|tool.JSON|tool.Header|tool.Jobs|tool.Output|tool.Watch)
}

// Args returns the arguments that make these options of the default ones.
func (o *Options) Args() []string {
	preset := Default()
	return flagset.Args(o, &preset)
}

// row returns a line with the columns that are written.
func (o *Options) row() line.FileHash {
	if o.Bare {
		return line.FileHash{}
	}
	return line.FileHash{Name: []byte{}, Marked: o.Hardlinks == Mark}
}

// Run hashes the files.
func (o *Options) Run(e *tool.Env, operands []string) error {
	how, err := o.hashing()
	if err != nil {
		return err
	}
	source, err := e.FileNames(&o.Files, operands)
	if err != nil {
		return err
	}
	if err := lines.Header(e, o.row()); err != nil {
		return err
	}
	return filesum.Each(source, e.Jobs, &how, newRows(e, o, &how).write)
}
