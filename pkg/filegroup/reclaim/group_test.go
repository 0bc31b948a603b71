package reclaim

import (
	"runtime"

	"doppel/pkg/blockhash"
	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/filesum"
)

// group returns the equal files in the current directory, with the kept file first.
func group() (all []filegroup.Member, err error) {
	hash, err := blockhash.New(blockhash.XXH64, nil)
	if err != nil {
		return nil, err
	}
	o := &filegroup.Options{
		Sum: filesum.Options{Rule: blockhash.Default, Hash: hash}, Jobs: runtime.NumCPU(), Mem: 1 << 20,
		Report: func(error) {}, Read: func(int, int64) {},
	}
	return all, filegroup.Find(files.NewWalk([]string{"."}, files.Refuse), o, func(g *filegroup.Group) error {
		g.Choose(filegroup.First)
		all = g.Members
		return nil
	})
}
