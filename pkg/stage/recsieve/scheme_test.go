package recsieve

import (
	"errors"
	"path/filepath"
	"testing"

	"doppel/pkg/collection"
)

// TestAdoptAsStage checks that a stage, to which all options count as given, takes the bands from a
// collection that another run has created since the command looked for one.
func TestAdoptAsStage(t *testing.T) {
	o := Default()
	s, bands, err := o.scheme()
	if err != nil {
		t.Fatal(err)
	}
	o.Collection.Index = filepath.Join(t.TempDir(), "seen")
	w, err := collection.NewWriter(o.Collection.Index, collection.Scheme{
		Tool: toolName, Signature: s.String(), Threshold: o.Keys.Threshold,
		Bands: bands.B, Rows: bands.R, Hot: o.Hot, BucketBits: bucketBits, Field: "text",
	}, collection.WriteOptions{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := o.Adopt(func(string) bool { return true }); err != nil || o.Keys.Bands != bands {
		t.Errorf("%v: %v, want %v", err, o.Keys.Bands, bands)
	}
}
