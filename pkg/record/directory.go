package record

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"doppel/pkg/record/dataform"
	"doppel/pkg/wording"
)

// nextName takes the next name off the inputs. In the place of a directory stand
// the data files in it.
func (r *Reader) nextName() (string, error) {
	for {
		name := r.in.Names[0]
		r.in.Names = r.in.Names[1:]
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() || r.opt.Names {
			return name, nil
		}
		inside, err := dataFiles(name)
		if err != nil {
			return "", err
		}
		r.in.Names = append(inside, r.in.Names...)
	}
}

// dataFiles returns the files below a directory that are called as data are, in
// order of names. Hidden ones, and those that begin with _, as writers of datasets
// call what is no data, are left out, and so are directories called so.
func dataFiles(dir string) (names []string, err error) {
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		base := filepath.Base(name)
		switch {
		case err != nil || name == dir:
			return err
		case strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"):
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case dataform.KindOf(name) != "":
			if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
				names = append(names, name) // one that cannot be read is told of when it is opened
			}
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		err = wording.WithHint(fmt.Errorf("%s: no data files in this directory", dir), "they are known by names that end in .jsonl, .json, .ndjson, .parquet, .csv or .tsv, and .gz, .zst, .bz2 or .xz")
	}
	return names, err
}
