package blockhash

import (
	"slices"

	"doppel/pkg/blockhash"
	"doppel/pkg/digest"
	"doppel/pkg/files/filesum"
	"doppel/pkg/tool"
)

// Check refuses values that mean nothing, or exclude each other.
func (o *Options) Check() error {
	most := int64(1) << 62 / int64(o.Block)
	switch _, err := filesum.ParseSalts(o.Salts); {
	case err != nil:
		return tool.UsageError("--salt: %w", err)
	case o.Blocks < 1 || int64(o.Blocks) > most:
		return tool.UsageError("--blocks %d: want 1 to %d", o.Blocks, most)
	case len(o.Columns) > 0 && slices.Min(o.Columns) < 1:
		return tool.UsageError("--salt-column %d: columns count from 1", slices.Min(o.Columns))
	case o.Offset > 0 && (o.Blocks != 1 || o.Full || o.Published):
		return tool.UsageError("--offset needs --blocks 1")
	case o.Decimal != "" && o.Decimal != "unsigned" && o.Decimal != "signed":
		return tool.UsageError("--decimal %q: want unsigned or signed", o.Decimal)
	case o.Full && o.Published:
		return tool.UsageError("--full and --seed-compat exclude each other")
	case o.Published && o.Blocks != blockhash.Default.Count:
		return tool.UsageError("--seed-compat has %d blocks", blockhash.Default.Count)
	case o.Hardlinks != each && o.Hardlinks != once && o.Hardlinks != mark:
		return tool.UsageError("--hardlinks %q: want each, once or mark", o.Hardlinks)
	case o.Bare && o.Hardlinks == mark:
		return tool.UsageError("--bare leaves no place for --hardlinks mark")
	}
	return nil
}

// hashing returns how files are hashed. It reads the key.
func (o *Options) hashing() (how filesum.Options, err error) {
	how = filesum.Options{Rule: o.rule(), Links: o.Files.Links(), Empty: o.Empty, From: o.Columns}
	if how.Salts, err = filesum.ParseSalts(o.Salts); err != nil {
		return how, err
	}
	key, err := digest.ReadKey(o.Key)
	if err != nil {
		return how, err
	}
	if how.Hash, err = blockhash.New(o.kind(), key); err != nil {
		return how, tool.UsageError("--hash: %w", err)
	}
	return how, nil
}

func (o *Options) rule() blockhash.Rule {
	r := blockhash.Rule{Block: int64(o.Block), Count: o.Blocks, Offset: int64(o.Offset)}
	switch {
	case o.Full:
		r.Form = blockhash.Full
	case o.Published:
		r.Form = blockhash.Published
	}
	return r
}

// kind returns the hash asked for, or the default, which is FNV-1a where the
// published method is asked for.
func (o *Options) kind() blockhash.Kind {
	switch {
	case o.Hash != "":
		return blockhash.Kind(o.Hash)
	case o.Published:
		return blockhash.FNV1a
	}
	return blockhash.XXH64
}
