package parquet

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// TestUnify joins files whose schemas differ in what is required, and in columns that have only nulls
// and no type, in any order. The rows stay the same, and equal rows of two files have the same text.
func TestUnify(t *testing.T) {
	var names []string
	for _, shard := range []string{"a", "b", "c"} {
		names = append(names, filepath.Join("..", "..", "..", "testdata", "foreign", "shards-"+shard+".parquet"))
	}
	for _, order := range [][]int{{0, 1}, {1, 0}, {0, 1, 2}, {2, 1, 0}, {2, 0, 1}, {2, 2}, {1, 2, 0, 1}} {
		var files []*os.File
		var inputs []string
		var want bytes.Buffer
		for _, i := range order {
			files, inputs = append(files, mustOpen(t, names[i])), append(inputs, names[i])
			lines, err := os.ReadFile(names[i][:len(names[i])-len("parquet")] + "jsonl")
			if err != nil {
				t.Fatal(err)
			}
			want.Write(lines)
		}
		for _, codec := range []string{"", "zstd"} {
			again, err := os.Create(filepath.Join(t.TempDir(), "again"))
			if err == nil {
				err = copyRows(again, files, dataform.Packing{Jobs: 2, Codec: codec}, write.Selection{Keep: drops["none"]})
			}
			if err != nil {
				t.Fatal(order, err)
			}
			checkRows(t, objects(t, want.Bytes()), got(t, again, drops["none"]))
		}
		distinct := map[string]bool{}
		for _, text := range textsOf(t, record.Input{Names: inputs}) {
			distinct[text] = true
		}
		lines := map[string]bool{}
		for line := range bytes.Lines(want.Bytes()) {
			lines[string(line)] = true
		}
		if len(distinct) != len(lines) {
			t.Errorf("%v: %d distinct texts, want %d", order, len(distinct), len(lines))
		}
	}
}
