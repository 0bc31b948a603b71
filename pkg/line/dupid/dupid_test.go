package dupid

import (
	"errors"
	"fmt"
	"testing"

	"doppel/pkg/record"
)

func numbered(i int) *record.Record {
	return &record.Record{ID: fmt.Appendf(nil, "%d", i), Name: fmt.Sprint("file", i/700), Line: int64(i%700 + 1)}
}

// TestTable checks that Note reports every repeated id, with the place of the first record.
func TestTable(t *testing.T) {
	table := NewTable(1 << 20)
	for i := range 5000 {
		if err := table.Note(numbered(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5000 {
		rec := numbered(i)
		rec.Name, rec.Line = "again", 7
		want := fmt.Sprintf("again:7: duplicate id %q: also the id of file%d:%d", fmt.Sprint(i), i/700, i%700+1)
		if err := table.Note(rec); err == nil || err.Error() != want {
			t.Fatalf("%v, want %s", err, want)
		}
	}
}

// TestFullTable checks that a full table does not grow, and that it reports a repeated id only if
// it has recorded the id.
func TestFullTable(t *testing.T) {
	table := NewTable(1)
	for i := range 5000 {
		if err := table.Note(numbered(i)); err != nil {
			t.Fatal(err)
		}
	}
	if len(table.slots) != smallest || table.Note(numbered(0)) == nil || table.Note(numbered(4999)) != nil {
		t.Errorf("%d slots", len(table.slots))
	}
}

// TestNumbered checks that Note reports the second of two records with the same number, with the
// place of the first.
func TestNumbered(t *testing.T) {
	places := NewNumbered(2)
	if err := places.Note(1, numbered(1)); err != nil {
		t.Fatal(err)
	}
	want := `file1:1: duplicate id "700": also the id of file0:2`
	if err := places.Note(1, numbered(700)); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	places = nil
	if err := errors.Join(places.Note(1, numbered(1)), places.Note(1, numbered(1))); err != nil {
		t.Errorf("without places: %v", err)
	}
}
