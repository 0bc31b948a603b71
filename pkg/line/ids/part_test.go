package ids

import "testing"

func TestCutPart(t *testing.T) {
	for _, c := range []struct {
		id, record string
		start, end int
		ok         bool
	}{
		{"17#120-480", "17", 120, 480, true},
		{"a#b.jsonl:3#0-1", "a#b.jsonl:3", 0, 1, true},
		{"#0-0", "", 0, 0, true},
		{"17", "17", 0, 0, false},
		{"17#", "17#", 0, 0, false},
		{"17#1", "17#1", 0, 0, false},
		{"17#-5", "17#-5", 0, 0, false},
		{"17#9-5", "17#9-5", 0, 0, false},
		{"17#01-5", "17#01-5", 0, 0, false},
		{"17#x:1-5", "17#x:1-5", 0, 0, false},
		{"17#1-99999999999999999999", "17#1-99999999999999999999", 0, 0, false},
	} {
		record, start, end, ok := CutPart([]byte(c.id))
		if string(record) != c.record || start != c.start || end != c.end || ok != c.ok {
			t.Errorf("%s: %s %d %d %v", c.id, record, start, end, ok)
		}
		if again := string(AppendPart(nil, record, start, end)); ok && again != c.id {
			t.Errorf("%s is written %s", c.id, again)
		}
	}
}
