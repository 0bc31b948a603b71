// Package blockhash hashes the head, middle and tail blocks of files.
//
// See man/blockhash.1.
package blockhash

import (
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/blockhash"
	"doppel/pkg/files/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which files are hashed, and define the hash and the output.
type Options struct {
	flags.Common
	Files     tool.Files     // source of the file names
	Block     flagset.Size   // size of a block in bytes, at least 1
	Blocks    int            // number of blocks to hash in each file, at least 1
	Full      bool           // hash every byte
	Published bool           // choose and hash blocks as in blockhash.Published
	Hash      string         // a blockhash.Kind; "" means fnv1a with Published, otherwise xxh64
	Key       string         // file with the 32-byte key of HighwayHash
	Offset    flagset.Offset // offset of the block, if only one is hashed; blockhash.Moved says when Published uses it
	Decimal   string         // write hashes as decimal numbers: unsigned or signed; "" for hex digits
	Salts     []string       // also hash these file properties, such as mtime
	Columns   []int          // also hash these columns of the list, counted from 1; the file name is the text after the last one
	Empty     bool           // include empty files
	Bare      bool           // write only the hash
	Hardlinks string         // which names of a file with several names get a row: each, once or mark
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{
		Block:     flagset.Size(blockhash.Default.Block),
		Blocks:    blockhash.Default.Count,
		Offset:    flagset.NoOffset,
		Hardlinks: each,
	}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("blockhash", "hash the head, middle and tail blocks of files", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.VarP(&o.Block, "block", "B", "hash blocks of `SIZE` bytes")
	fs.IntVar(&o.Blocks, "blocks", o.Blocks, "hash `N` blocks of a file, spread over it")
	fs.Var(&o.Offset, "offset", "hash only one block, at the offset `SIZE` (default: --blocks)")
	fs.BoolVar(&o.Full, "full", o.Full, "hash every byte")
	fs.BoolVar(&o.Published, "seed-compat", o.Published, "choose blocks and hash as the published method does")
	fs.StringVar(&o.Hash, "hash", o.Hash, "hash by `NAME`: fnv1a, xxh64 (default), xxh3-128 or highway")
	fs.StringVar(&o.Key, "key", o.Key, "read the key for highway from `FILE`")
	fs.StringSliceVar(&o.Salts, "salt", o.Salts, "also hash these `FIELDS`: mtime, ctime, ext, name, mode, uid, gid, dev")
	fs.IntSliceVar(&o.Columns, "salt-column", o.Columns, "also hash the columns `N,...` of the list (default: none); they precede the name")
	fs.StringVar(&o.Decimal, "decimal", o.Decimal, "write hashes as `SIGN` decimal numbers: unsigned or signed")
	fs.BoolVar(&o.Empty, "empty", o.Empty, "include empty files")
	fs.BoolVar(&o.Bare, "bare", o.Bare, "write only the hash")
	fs.StringVar(&o.Hardlinks, "hardlinks", o.Hardlinks, "treat hard links by `HOW`: each (default), once or mark; these are the names of one file")
	o.Files.Flags(fs)
	o.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Jobs|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Hashes, "block", "blocks", "offset", "full", "seed-compat", "hash", "key", "salt", "salt-column")
	flagset.Assign(fs, flagset.Input, "empty", "hardlinks")
	flagset.Assign(fs, flagset.Output, "decimal", "bare")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"block", "blocks", "full", "hash", "recursive", "dereference", "hardlinks", "empty", "bare", "null", "output", "jobs"}
}

// header returns an empty row that has the columns to write.
func (o *Options) header() line.FileHash {
	if o.Bare {
		return line.FileHash{}
	}
	return line.FileHash{Name: []byte{}, Marked: o.Hardlinks == mark}
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Full, "with --full", "block", "blocks", "offset")
	i.When(o.Offset != flagset.NoOffset && o.Blocks != 1, "with --offset", "blocks")
	return i
}

// Run hashes the files named by the operands, or by a list on standard input.
func (o *Options) Run(e *tool.Env, operands []string) error {
	how, err := o.hashing()
	if err != nil {
		return err
	}
	source, err := e.FileNames(&o.Files, operands)
	if err != nil {
		return err
	}
	if len(o.Columns) > 0 {
		if o.Files.Recursive || !tool.ListOnStdin(operands) {
			return tool.UsageError("--salt-column needs a list on standard input")
		}
		source = filesum.Columns{Source: source, Before: slices.Max(o.Columns)}
	}
	if err := lineio.Header(e, o.header()); err != nil {
		return err
	}
	r := &rows{e: e, o: o, written: e.Written(), format: lineio.Format(e), number: number{o.Decimal, how.Hash.Bits()}, scheme: []byte(how.Scheme())}
	if o.Hardlinks == once {
		r.seen = map[identity]struct{}{}
	}
	return filesum.Each(source, e.Jobs, &how, r.write)
}
