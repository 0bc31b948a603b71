package blockhash

import (
	"cmp"
	"slices"

	"doppel/pkg/blockhash"
	"doppel/pkg/digest"
	"doppel/pkg/files/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/tool"
)

// Check rejects values that are invalid or cannot be used together.
func (o *Options) Check() error {
	most := int64(1) << 62 / int64(o.Block)
	switch _, err := filesum.ParseSalts(o.Salts); {
	case err != nil:
		return tool.UsageError("--salt: %w", err)
	case o.Blocks < 1 || int64(o.Blocks) > most:
		return tool.UsageError("--blocks %d: want 1 to %d", o.Blocks, most)
	case len(o.Columns) > 0 && slices.Min(o.Columns) < 1:
		return tool.UsageError("--salt-column %d: want 1 or more", slices.Min(o.Columns))
	case blockhash.Kind(o.Hash) == blockhash.Highway && o.Key == "":
		return tool.UsageError("--hash highway needs --key FILE, with %d bytes", digest.KeySize)
	case o.Decimal != "" && o.Decimal != "unsigned" && o.Decimal != "signed":
		return tool.UsageError("--decimal %q: want unsigned or signed", o.Decimal)
	case o.Full && o.Published:
		return tool.UsageError("--full and --seed-compat cannot be used together")
	case o.Published && o.Blocks != blockhash.Default.Count:
		return tool.UsageError("--seed-compat needs --blocks %d", blockhash.Default.Count)
	case o.Hardlinks != each && o.Hardlinks != once && o.Hardlinks != mark:
		return tool.UsageError("--hardlinks %q: want each, once or mark", o.Hardlinks)
	case o.Bare && o.Hardlinks == mark:
		return tool.UsageError("--bare and --hardlinks mark cannot be used together")
	}
	return nil
}

// hashing returns the options for hashing files. It reads the key, if there is one.
func (o *Options) hashing() (how filesum.Options, err error) {
	how = filesum.Options{Links: o.Files.Links(), Empty: o.Empty, From: o.Columns}
	how.Rule = blockhash.Rule{Block: int64(o.Block), Count: o.Blocks}
	moved := o.Offset != flagset.NoOffset
	if moved {
		how.Rule.Offset = int64(o.Offset)
	}
	kind := blockhash.XXH64
	switch {
	case o.Full:
		how.Rule.Selection = blockhash.Full
	case o.Published && moved:
		how.Rule.Selection, kind = blockhash.Moved, blockhash.FNV1a
	case o.Published:
		how.Rule.Selection, kind = blockhash.Published, blockhash.FNV1a
	case moved:
		how.Rule.Count = 1
	}
	if how.Salts, err = filesum.ParseSalts(o.Salts); err != nil {
		return how, err
	}
	key, err := digest.ReadKey(o.Key)
	if err != nil {
		return how, err
	}
	if how.Hash, err = blockhash.New(cmp.Or(blockhash.Kind(o.Hash), kind), key); err != nil {
		return how, tool.UsageError("--hash: %w", err)
	}
	return how, nil
}
