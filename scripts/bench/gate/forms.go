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
		if out, err := exec.Command(put[0], append(put[1:], "-o", in)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", f.name, err, out)
		}
		info, err := os.Stat(in)
		if err != nil {
			return nil, err
		}
		counts = append(counts, count{"bytes of " + f.name, float64(info.Size())})
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
