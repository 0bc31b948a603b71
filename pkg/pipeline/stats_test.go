package pipeline

import (
	"strings"
	"testing"

	"doppel/pkg/spill"
)

// wrote returns a scratch file with what a stage wrote into it.
func wrote(t *testing.T, text string) *scratch {
	t.Helper()
	f, err := spill.Create()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return &scratch{file: f}
}

// Counts of which some are missing, or do not add up, are no counts.
func TestReadCounts(t *testing.T) {
	for text, want := range map[string]string{
		`{"records":3,"kept":2,"dropped":1}`: "",
		`{"records":1,"kept":2,"dropped":1}`: "x read 1 record, but kept 2 and dropped 1",
		``:                                   "reading the statistics of x: EOF",
		`{"records":"3"}`:                    "reading the statistics of x: json: ",
	} {
		c, err := wrote(t, text).read("x")
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err == nil && (c.Records != 3 || c.Kept != 2 || c.Dropped != 1) {
			t.Errorf("%s: %+v", text, c)
		}
	}
}

// A step must have read what the one before it kept: a bad record, which it left out,
// among it.
func TestNothingIsLost(t *testing.T) {
	for _, tc := range []struct {
		last stepStats
		want string
	}{
		{stepStats{Step: "b", Records: 4, Kept: 3}, ""},
		{stepStats{Step: "b", Records: 3, Kept: 3, Unread: 1}, ""},
		{stepStats{Step: "b", Records: 3, Kept: 3}, "a kept 4 records, but b read 3"},
	} {
		var p pipelineStats
		if err := p.add(stepStats{Step: "a", Records: 5, Kept: 4, Unread: 1}); err != nil || p.Records != 6 {
			t.Fatalf("%v, %+v", err, p)
		}
		err := p.add(tc.last)
		if (err == nil) != (tc.want == "") || err != nil && err.Error() != tc.want {
			t.Errorf("%+v: %v, want %q", tc.last, err, tc.want)
		}
		if err == nil && (p.Kept != 3 || len(p.Steps) != 2) {
			t.Errorf("%+v", p)
		}
	}
}
