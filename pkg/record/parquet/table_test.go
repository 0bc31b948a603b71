package parquet

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
)

// TestTable checks that the table of doppel-records(5) names the encodings and compressions of the
// files that TestPeers reads, and of the partial copies that TestPeersTwice reads.
func TestTable(t *testing.T) {
	read, written := map[string]bool{}, map[string]bool{}
	for _, p := range peers(t) {
		f := mustOpen(t, p.name)
		noteForms(t, f, read)
		noteForms(t, copySelected(t, f, drops["odd"]), written)
	}
	yes, kept, no := tableRows(t)
	if d := cmp.Diff(sorted(read), slices.Sorted(slices.Values(append(yes, kept...)))); d != "" {
		t.Errorf("read: %s", d)
	}
	for _, name := range yes {
		if !written[name] {
			t.Errorf("%s is not written", name)
		}
	}
	for _, name := range no {
		if read[name] || written[name] {
			t.Errorf("%s is read or written", name)
		}
	}
}

// noteForms adds the names of the encodings and compressions of a file's columns to a set.
func noteForms(t *testing.T, f *os.File, all map[string]bool) {
	t.Helper()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := pq.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Metadata().RowGroups {
		for _, column := range group.Columns {
			all[strings.ToLower(column.MetaData.Codec.String())] = true
			for _, e := range column.MetaData.Encoding {
				all[e.String()] = true
			}
		}
	}
	delete(all, "BIT_PACKED") // Spark lists BIT_PACKED for levels that do not exist
}

// tableRows returns the encodings and compressions in the table of the manual page: those that are
// read and written, those that are only read and copied, and the others.
func tableRows(t *testing.T) (yes, kept, no []string) {
	t.Helper()
	page, err := os.ReadFile("../../../man/doppel-records.5")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), ".It Sy encoding of Parquet\n")
	table, _, _ = strings.Cut(table, ".El\n")
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.TrimPrefix(strings.TrimSpace(row), ".It "), " Ta ")
		names := strings.Split(strings.ReplaceAll(cells[0], "none", "uncompressed"), ", ")
		switch {
		case len(cells) < 3:
		case cells[1] == "yes" && cells[2] == "yes":
			yes = append(yes, names...)
		case cells[1] == "yes":
			kept = append(kept, names...)
		default:
			no = append(no, names...)
		}
	}
	return yes, kept, no
}

func sorted(set map[string]bool) (names []string) {
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
