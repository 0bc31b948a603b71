// Revisions writes every revision of files in the history of a git repository as JSON
// lines of "id", the name of the blob, "path" and "text": real, dense text, DATA for
// scripts/bench/run. Blobs come in the order of their names, which is as good as
// random; what is not UTF-8 is left out.
//
//	go run ./scripts/bench/revisions [-head] REPOSITORY [PATTERN…] > revisions.jsonl
//
// Patterns are pathspecs of git, as '*.rst'; without any all files are taken. With
// -head those of the last commit are, each once: pages as they are now.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"unicode/utf8"

	"doppel/scripts/bench/objects"
)

func main() {
	head := flag.Bool("head", false, "take the files of the last commit alone")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, "usage: revisions [-head] REPOSITORY [PATTERN...]") }
	if flag.Parse(); flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	which := history
	if *head {
		which = latest
	}
	if err := run(os.Stdout, flag.Arg(0), which, flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "revisions:", err)
		os.Exit(2)
	}
}

func run(out io.Writer, repository string, which, patterns []string) error {
	paths, err := blobs(repository, which, patterns)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	if err := objects.Each(repository, slices.Sorted(maps.Keys(paths)), func(id string, text []byte) error {
		return write(w, id, paths[id], text)
	}); err != nil {
		return err
	}
	return w.Flush()
}

// write writes a record, unless its text is none.
func write(w io.Writer, id, path string, text []byte) error {
	if len(text) == 0 || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		ID   string `json:"id"`
		Path string `json:"path"`
		Text string `json:"text"`
	}{id, path, string(text)})
}

// The commands of git that tell of the blobs that commits brought, and of those that
// the last one has.
var (
	history = []string{"log", "--all", "-m", "--format=", "--raw", "--no-abbrev", "--no-renames"}
	latest  = []string{"diff-tree", "-r", "--raw", "--no-abbrev", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "HEAD"} // the empty tree
)

// blobs returns the path of each blob.
func blobs(repository string, which, patterns []string) (map[string]string, error) {
	args := slices.Concat([]string{"-C", repository}, which, []string{"--"}, patterns)
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", which[0], err)
	}
	paths := map[string]string{}
	for line := range strings.Lines(string(out)) { // ":100644 100644 OLD NEW M\tPATH"
		meta, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if f := strings.Fields(meta); len(f) == 5 && strings.HasPrefix(f[1], "100") {
			paths[f[3]] = path
		}
	}
	return paths, nil
}
