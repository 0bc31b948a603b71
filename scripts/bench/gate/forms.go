package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// forms are those in which datasets are stored: what recuniq reads of them, and writes in
// the same, is counted.
var forms = []struct{ name, file, codec string }{
	{"JSON lines, zstd", "data.jsonl.zst", ""},
	{"JSON lines, gzip", "data.jsonl.gz", ""},
	{"Parquet, zstd", "zstd.parquet", "zstd"},
	{"Parquet, plain", "none.parquet", "none"},
}

// countForms counts the bytes of the records in each form, and the instructions by which
// the equal ones are left out of it.
func countForms(valgrind, dir, data string) (counts []count, err error) {
	for _, f := range forms {
		in, out := filepath.Join(dir, f.file), filepath.Join(dir, "unique."+f.file)
		put := []string{filepath.Join(dir, "reccat"), data}
		if f.codec != "" {
			put = append(put, "--codec="+f.codec)
		}
		size, err := sizeOf(put, in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		counts = append(counts, count{"bytes of " + f.name, size})
		if valgrind == "" {
			continue
		}
		n, err := beyondStart(valgrind, []string{filepath.Join(dir, "recuniq"), "--field=text", in}, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		counts = append(counts, count{"instructions of " + f.name, n})
	}
	return counts, nil
}

// sizeOf runs a tool and returns how many bytes it writes.
func sizeOf(args []string, out string) (float64, error) {
	c := exec.Command(args[0], append(args[1:len(args):len(args)], "-o", out)...)
	if text, err := c.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	info, err := os.Stat(out)
	if err != nil {
		return 0, err
	}
	return float64(info.Size()), nil
}
