package pipeline

import "testing"

// TestNothingIsLost checks that add returns an error if a step did not read all records that the
// previous step kept. Skipped bad records count as read.
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
