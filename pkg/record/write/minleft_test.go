package write

import "testing"

func TestMinLeft(t *testing.T) {
	for _, c := range []struct {
		flag       string
		left, size int
		short      bool
	}{
		{"0", 0, 10, false},
		{"5", 5, 10, false},
		{"5", 4, 10, true},
		{"50%", 5, 10, false},
		{"50%", 4, 10, true},
		{"0.5%", 1, 200, false},
		{"100%", 9, 10, true},
		{"0%", 0, 10, false},
	} {
		var m MinLeft
		if err := m.Set(c.flag); err != nil || m.Short(c.left, c.size) != c.short {
			t.Errorf("%s, %d of %d are left: %v, %v", c.flag, c.left, c.size, m, err)
		}
		var again MinLeft
		if again.Set(m.String()); again != m {
			t.Errorf("%s became %s", c.flag, again)
		}
	}
	for _, bad := range []string{"", "-1", "-1%", "101%", "%", "NaN%", "half", "1.5"} {
		if err := new(MinLeft).Set(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
