package dataform

import "testing"

// TestRenamed checks the new names, and that each of them selects the new form without an override.
func TestRenamed(t *testing.T) {
	for _, c := range []struct{ name, to, want string }{
		{"a.jsonl", "", "a.jsonl"},
		{"a.jsonl", "gz", "a.jsonl.gz"},
		{"a.jsonl.gz", "gz", "a.jsonl.gz"},
		{"a.JSONL.GZ", "zst", "a.JSONL.zst"},
		{"a.jsonl.bz2", "jsonl", "a.jsonl"},
		{"a.jsonl.zst", "jsonl", "a.jsonl.zst"},
		{"a.ndjson", "jsonl", "a.ndjson"},
		{"a.csv.gz", "jsonl", "a.jsonl.gz"},
		{"a.jsonl.zst", "parquet", "a.parquet"},
		{"a.parquet", "jsonl", "a.jsonl"},
		{"a.parquet", "gz", "a.jsonl.gz"},
		{"part-0001", "gz", "part-0001.gz"},
		{"part-0001", "parquet", "part-0001.parquet"},
		{"v1.2/part.c000", "jsonl", "v1.2/part.c000.jsonl"},
	} {
		got := Renamed(c.name, c.to)
		if got != c.want {
			t.Errorf("Renamed(%q, %q) = %q, want %q", c.name, c.to, got, c.want)
		}
		form, err := Of(got, c.to)
		if named, err2 := Of(got, ""); c.to != "" && (err != nil || err2 != nil || form.Compression != named.Compression || named.Kind.Name != "" && form.Kind != named.Kind) {
			t.Errorf("%s is not called as it is written: %+v, %v", got, form, err)
		}
	}
}
