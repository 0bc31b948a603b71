package blockhash

import (
	"github.com/spf13/pflag"

	"doppel/pkg/blockhash"
	"doppel/pkg/digest"
	"doppel/pkg/files"
	"doppel/pkg/filesum"
	"doppel/pkg/tool"
)

// hashing is the flags that change a hash.
type hashing struct {
	block      tool.Size
	blocks     int
	seed, full bool
	hash, key  string
	salts      []string
	empty      bool
}

func (h *hashing) flags(fs *pflag.FlagSet) {
	h.block = tool.Size(blockhash.Default.Block)
	fs.VarP(&h.block, "block", "B", "hash blocks of `SIZE` bytes")
	fs.IntVar(&h.blocks, "blocks", blockhash.Default.Count, "hash `N` blocks of a file, spread over it")
	fs.BoolVar(&h.full, "full", false, "hash every byte")
	fs.BoolVar(&h.seed, "seed-compat", false, "choose blocks and hash as the published method does")
	fs.StringVar(&h.hash, "hash", "", "hash by `NAME`: fnv1a, xxh64 (the default), xxh3-128 or highway")
	fs.StringVar(&h.key, "key", "", "take the key of highway from `FILE`")
	fs.StringSliceVar(&h.salts, "salt", nil, "hash `FIELDS` too: mtime, ctime, ext, name, mode, uid, gid, dev")
	fs.BoolVar(&h.empty, "empty", false, "do not leave out empty files")
}

// options checks the flags and reads the key.
func (h *hashing) options(links files.Links) (o filesum.Options, err error) {
	o = filesum.Options{Links: links, Empty: h.empty}
	if o.Rule, err = h.rule(); err != nil {
		return o, err
	}
	if o.Salts, err = filesum.ParseSalts(h.salts); err != nil {
		return o, tool.UsageError("--salt: %w", err)
	}
	key, err := digest.ReadKey(h.key)
	if err != nil {
		return o, err
	}
	if o.Hash, err = blockhash.New(h.kind(), key); err != nil {
		return o, tool.UsageError("--hash: %w", err)
	}
	return o, nil
}

func (h *hashing) rule() (blockhash.Rule, error) {
	r := blockhash.Rule{Block: int64(h.block), Count: h.blocks}
	most := int64(1) << 62 / r.Block
	switch {
	case h.blocks < 1 || int64(h.blocks) > most:
		return r, tool.UsageError("--blocks %d: want 1 to %d", h.blocks, most)
	case h.full && h.seed:
		return r, tool.UsageError("--full and --seed-compat exclude each other")
	case h.seed && h.blocks != blockhash.Default.Count:
		return r, tool.UsageError("--seed-compat has %d blocks", blockhash.Default.Count)
	case h.full:
		r.Form = blockhash.Full
	case h.seed:
		r.Form = blockhash.Seed
	}
	return r, nil
}

// kind returns the hash asked for, or the default, which is FNV-1a where the
// published method is asked for.
func (h *hashing) kind() blockhash.Kind {
	switch {
	case h.hash != "":
		return blockhash.Kind(h.hash)
	case h.seed:
		return blockhash.FNV1a
	}
	return blockhash.XXH64
}
