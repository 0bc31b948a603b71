package report

import "testing"

func TestSizeCounts(t *testing.T) {
	for n, want := range map[int64]string{2: "2", 5: "5", 6: "6–10", 10: "6–10", 11: "11–20", 1000: "101–1000", 1001: "more", 1 << 40: "more"} {
		var c SizeCounts
		c.Add(n - 1)
		rows := c.Rows()
		if got := rows[len(rows)-1]; got != (Size{Label: want, Groups: 1, Dropped: n - 1}) {
			t.Errorf("%d: %+v, want %s", n, got, want)
		}
		if rows[0].Label != "2" {
			t.Errorf("%d: the rows begin with %s", n, rows[0].Label)
		}
	}
	if rows := new(SizeCounts).Rows(); len(rows) > 0 {
		t.Errorf("of nothing: %v", rows)
	}
}
