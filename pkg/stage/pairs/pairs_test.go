package pairs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/stage/stagetest"
	"doppel/pkg/tool"
)

// Write writes pairs in the order of ranks, each once, with or without counts, as columns or
// objects.
func TestWrite(t *testing.T) {
	for _, tc := range []struct {
		name, args, out string
		ids             string
		count           bool
	}{
		{"ordinals", "", "0\t1\n0\t2\n1\t2\n", "0 1 2", false},
		{"counted", "-j2", "0\t1\t2\n0\t2\t1\n1\t2\t1\n", "0 1 2", true},
		{"by rank", "", "a\tb\na\tc\nb\tc\n", "c a b", false},
		{"objects", "--json", `{"a":"a","b":"b","shared":2}` + "\n" + `{"a":"a","b":"c","shared":1}` + "\n" + `{"a":"b","b":"c","shared":1}` + "\n", "c a b", true},
	} {
		out, errs, status := stagetest.RunProbe(func(e *tool.Env) error {
			var list ids.List
			for _, id := range strings.Fields(tc.ids) {
				list.Add([]byte(id))
			}
			s := lsh.NewPairSorter(3, 1<<20)
			for _, p := range [][2]uint32{{1, 2}, {0, 1}, {0, 2}, {0, 1}} {
				if err := s.Add(p[0], p[1]); err != nil {
					return err
				}
			}
			return pairs.Write(e, s, pairs.Ranks{IDs: &list, Order: list.Order()}, pairs.Layout{Format: lineio.Format(e), Count: tc.count})
		}, "", strings.Fields(tc.args)...)
		if out != tc.out || errs != "" || status != 0 {
			t.Errorf("%s: %q, %q, %d", tc.name, out, errs, status)
		}
	}
}

func TestReport(t *testing.T) {
	common := func(records ...int64) (keys []line.Common) {
		for i, n := range records {
			keys = append(keys, line.Common{Key: []byte{'k', byte('0' + i)}, Records: n, Example: []byte("e")})
		}
		return keys
	}
	for want, report := range map[string]func(*tool.Env) error{
		"probe: 1 pair in 1 hot bucket left out; the largest has 3 members\nprobe: hint: members of a hot bucket are paired with a few others, so some duplicates may be missed; --hot N pairs all members of buckets of up to N\n": func(e *tool.Env) error {
			pairs.ReportHot(e, lsh.Skipped{Pairs: 1, Buckets: 1, Largest: 3}, nil)
			return nil
		},
		"probe: 20 pairs in 2 hot buckets left out; the largest has 9 members, such as x\nprobe: hint: members of a hot bucket are paired with a few others, so some duplicates may be missed; --hot N pairs all members of buckets of up to N\n": func(e *tool.Env) error {
			pairs.ReportHot(e, lsh.Skipped{Pairs: 20, Buckets: 2, Largest: 9}, []byte("x"))
			return nil
		},
		"": func(e *tool.Env) error {
			pairs.ReportHot(e, lsh.Skipped{}, nil)
			return pairs.ReportCommon(e, "", 1, nil)
		},
		"probe: 1 key ignored, each in more than 1 record; the most frequent is in 2, for example in e\n": func(e *tool.Env) error {
			return pairs.ReportCommon(e, "", 1, common(2))
		},
		"probe: 2 keys ignored, each in more than 3 records; the most frequent is in 9, for example in e\n": func(e *tool.Env) error {
			return pairs.ReportCommon(e, "", 3, common(4, 9))
		},
		"probe: 2.5 MB spilled\n": func(e *tool.Env) error {
			pairs.ReportSpilled(e, 0)
			pairs.ReportSpilled(e, 2_500_000)
			return nil
		},
	} {
		if _, errs, status := stagetest.RunProbe(report, "", "--progress"); errs != want || status != 0 {
			t.Errorf("%q, %d, want %q", errs, status, want)
		}
	}
}

// ReportCommon lists the keys with the most records first, and keys with the same number of records
// in ascending order.
func TestList(t *testing.T) {
	for args, want := range map[string]string{
		"":       "b\t9\t1\na\t4\t\\\\\nc\t4\tx\n",
		"--json": `{"key":"b","records":9,"example":"1"}` + "\n" + `{"key":"a","records":4,"example":"\\"}` + "\n" + `{"key":"c","records":4,"example":"x"}` + "\n",
	} {
		file := filepath.Join(t.TempDir(), "common")
		_, errs, status := stagetest.RunProbe(func(e *tool.Env) error {
			return pairs.ReportCommon(e, file, 3, []line.Common{
				{Key: []byte("c"), Records: 4, Example: []byte("x")},
				{Key: []byte("b"), Records: 9, Example: []byte("1")},
				{Key: []byte("a"), Records: 4, Example: []byte(`\`)},
			})
		}, "", strings.Fields(args)...)
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want || status != 0 {
			t.Errorf("%q: %q, %q, %v", args, got, errs, err)
		}
	}
	if _, errs, status := stagetest.RunProbe(func(e *tool.Env) error {
		return pairs.ReportCommon(e, "none/common", 3, nil)
	}, ""); status != 2 || !strings.Contains(errs, "no such file") {
		t.Errorf("%q, %d", errs, status)
	}
}

// Unique rejects an id that two signatures share, wherever the two are in the input.
func TestUnique(t *testing.T) {
	for all, want := range map[string]string{
		"":        "",
		"c a b":   "",
		"c a a b": `duplicate id "a": two signatures have this id`,
		"b a b":   `duplicate id "b": two signatures have this id`,
		"2 10 2":  `duplicate id "2": two signatures have this id`,
	} {
		var list ids.List
		for _, id := range strings.Fields(all) {
			list.Add([]byte(id))
		}
		err := pairs.Ranks{IDs: &list, Order: list.Order()}.Unique()
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %q", all, err, want)
		}
	}
}

// Write writes the names of the columns even if there are no pairs, and returns a write error.
func TestWriteHeader(t *testing.T) {
	for count, want := range map[bool]string{false: "a\tb\n", true: "a\tb\tshared\n"} {
		write := func(e *tool.Env) error {
			return pairs.Write(e, lsh.NewPairSorter(1, 1<<20), pairs.Ranks{}, pairs.Layout{Format: lineio.Format(e), Count: count})
		}
		if out, errs, status := stagetest.RunProbe(write, "", "--header"); out != want || errs != "" || status != 0 {
			t.Errorf("%v: %q, %q, %d, want %q", count, out, errs, status, want)
		}
		full := errors.New("full")
		_, errs, status := stagetest.RunProbe(func(e *tool.Env) error {
			e.Out.Reset(failing{full})
			return write(e)
		}, "", "--header")
		if status != 2 || !strings.Contains(errs, "full") {
			t.Errorf("%v: %q, %d", count, errs, status)
		}
	}
}

// failing is an io.Writer whose writes fail with the given error.
type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }
