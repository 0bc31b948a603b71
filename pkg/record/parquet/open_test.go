package parquet

import (
	"os"
	"testing"

	"doppel/pkg/record/parquet/pages"
)

// openFiles is like openAll, but fails the test on an error.
func openFiles(t testing.TB, files ...*os.File) []*pages.File {
	t.Helper()
	all, err := openAll(files)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func size(t testing.TB, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
