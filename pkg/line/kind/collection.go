package kind

import (
	"io"
	"os"
	"path/filepath"
)

// collectionStart is the beginning of the manifest of a collection, in every version of the format.
const collectionStart = "{\n  \"collection\": "

// IsCollection reports whether a directory holds the manifest of a collection: a file collection.json
// that begins like one, since a dataset may have a file of that name. It reports false if the file
// cannot be read.
func IsCollection(dir string) bool {
	name := filepath.Join(dir, "collection.json")
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(collectionStart))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == collectionStart
}
