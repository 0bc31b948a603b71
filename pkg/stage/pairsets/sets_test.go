package pairsets_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/jaccard"
	"doppel/pkg/record"
	"doppel/pkg/stage/pairsets"
	"doppel/pkg/stage/stagetest"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// files are the contents of the input files, by name.
var files = map[string]string{
	"data":     `{"id":"x","text":"one two three four"}` + "\n{broken\n" + `{"id":"y","text":"five six seven"}` + "\n" + `{"id":"x","text":"eight nine ten"}` + "\n",
	"old":      `{"id":"x","text":"old one and two"}` + "\n",
	"list":     "a.txt\nb.txt\n",
	"a.txt":    "the text of a file",
	"b.txt":    "the text of another",
	"extracts": "a:0\tone two three four\n" + `{"id":"b\t1","text":"five\nsix seven"}` + "\n",
	"torn":     "a:0\tone two three four\nno columns\nb:0\tfive six seven\n",
	"parts":    `{"text":"first line here\nsecond line there\n"}` + "\n",
	"key":      strings.Repeat("k", 32),
	"short":    "k",
}

// writeFiles writes the files into a new directory.
func writeFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// plainSet returns the set of a text, made without the code under test.
func plainSet(key, body string) []uint64 {
	shingler := text.NewShingler(text.Default)
	if key != "" {
		shingler = text.NewSetShingler(text.Default, []byte(key))
	}
	set, _ := jaccard.Set(shingler.Append(nil, []byte(body)), nil)
	return set
}

// probe reads pairs and calls Sets with a function that stores each set and returns the given
// error, which may be nil. probe returns the sets by id, and the ids in the order in which their
// sets were stored.
func probe(pairs string, records record.Options, texts pairsets.Texts, enough error, args ...string) (got map[string][]uint64, order []string, errs string, status int) {
	got = map[string][]uint64{}
	_, errs, status = stagetest.RunProbe(func(e *tool.Env) error {
		p := &pairsets.Pairs{}
		defer p.Close()
		if err := p.Read(e, nil); err != nil {
			return err
		}
		e.Records = records
		return p.Sets(e, texts, func(n uint32, set []uint64) error {
			id := string(p.IDs.Append(nil, int(n)))
			got[id], order = slices.Clone(set), append(order, id)
			return enough
		})
	}, pairs, args...)
	return got, order, errs, status
}

// For all kinds of texts and ids, Sets yields the set of each record that a pair names, in the
// order of the records.
func TestSets(t *testing.T) {
	writeFiles(t)
	byText := record.Options{Fields: []string{"text"}}
	byFile := byText
	byFile.WithFilename = true
	for _, tc := range []struct {
		name, pairs string
		records     record.Options
		texts       pairsets.Texts
		order       []string
		want        []string // texts of the records in order
	}{
		{"ordinals: what is not named is not read, be it bad", "2\t0\n", byText, pairsets.Texts{Data: []string{"data"}},
			[]string{"0", "2"}, []string{"one two three four", "five six seven"}},
		{"ids that no record has", "0\t7\n", byText, pairsets.Texts{Data: []string{"old"}}, []string{"0"}, []string{"old one and two"}},
		{"of files", "old:0\tparts:0\n", byFile, pairsets.Texts{Data: []string{"parts", "old"}},
			[]string{"parts:0", "old:0"}, []string{"first line here second line there", "old one and two"}},
		{"old records first, by their files", "old:0\t0\n", byText, pairsets.Texts{Old: []string{"old"}, OldOpt: record.Options{Fields: []string{"text"}, WithFilename: true}, Data: []string{"data"}},
			[]string{"old:0", "0"}, []string{"old one and two", "one two three four"}},
		{"files that are named", "a.txt\tb.txt\n", record.Options{}, pairsets.Texts{Data: []string{"list"}, Files: true},
			[]string{"a.txt", "b.txt"}, []string{files["a.txt"], files["b.txt"]}},
		{"lines of ids and texts", "a:0\tb\\t1\n", record.Options{}, pairsets.Texts{Data: []string{"extracts"}, Extracts: true},
			[]string{"a:0", "b\t1"}, []string{"one two three four", "five\nsix seven"}},
		{"parts", "0#16-34\t0#0-16\n", byText, pairsets.Texts{Data: []string{"parts"}, Split: text.ByLine},
			[]string{"0#0-16", "0#16-34"}, []string{"first line here\n", "second line there\n"}},
	} {
		for _, key := range []string{"", "key"} {
			tc.texts.Key, tc.texts.Options = key, text.Default
			got, order, errs, status := probe(tc.pairs, tc.records, tc.texts, nil, "-j3")
			want := map[string][]uint64{}
			for i, id := range tc.order {
				want[id] = plainSet(files[key], tc.want[i])
			}
			if d := cmp.Diff(want, got); d != "" || errs != "" || status != 0 || !cmp.Equal(order, tc.order) {
				t.Errorf("%s, key %q: %q, %d, %q: %s", tc.name, key, order, status, errs, d)
			}
		}
	}
}

// A duplicate id is an error; with -k it is reported, and only the first record's set is passed. A
// bad record is an error if a pair may name it. Sets returns an error if a file cannot be read or
// if put fails.
func TestSetsErrors(t *testing.T) {
	writeFiles(t)
	byID := record.Options{Fields: []string{"text"}, ID: "id"}
	enough := errors.New("enough")
	for _, tc := range []struct {
		name, pairs, args string
		records           record.Options
		texts             pairsets.Texts
		enough            error
		order             []string
		err               string
	}{
		{"twice", "x\ty\n", "-k", byID, pairsets.Texts{Data: []string{"data"}}, nil, []string{"x", "y"}, `data:4: duplicate id "x": also the id of data:1`},
		{"a bad record", "x\ty\n", "", byID, pairsets.Texts{Data: []string{"data"}}, nil, []string{"x"}, "data:2: "},
		{"old ones, missing", "0\t2\n", "", record.Options{}, pairsets.Texts{Old: []string{"none"}, Data: []string{"data"}}, nil, nil, "none: no such file"},
		{"missing", "0\t2\n", "", record.Options{}, pairsets.Texts{Data: []string{"none"}}, nil, nil, "none: no such file"},
		{"no line of a text", "a:0\tb:0\n", "-k", record.Options{}, pairsets.Texts{Data: []string{"torn"}, Extracts: true}, nil, []string{"a:0", "b:0"}, "torn:2: want the columns id text"},
		{"no key", "0\t2\n", "", record.Options{}, pairsets.Texts{Data: []string{"old"}, Key: "none"}, nil, nil, "none: no such file"},
		{"a short key", "0\t2\n", "", record.Options{}, pairsets.Texts{Data: []string{"old"}, Key: "short"}, nil, nil, "short: "},
		{"no more", "0\t2\n", "", record.Options{Fields: []string{"text"}}, pairsets.Texts{Data: []string{"data"}}, enough, []string{"0"}, "enough"},
		{"bad pairs", "0\n", "", record.Options{}, pairsets.Texts{}, nil, nil, "<stdin>:1: want the columns a b"},
	} {
		tc.texts.Options = text.Default
		_, order, errs, status := probe(tc.pairs, tc.records, tc.texts, tc.enough, strings.Fields(tc.args)...)
		if status != tool.ExitTrouble || !strings.Contains(errs, tc.err) || !cmp.Equal(order, tc.order) {
			t.Errorf("%s: %q, %d, %q, want %q and %q", tc.name, order, status, errs, tc.order, tc.err)
		}
	}
}

// With -k, a bad record is reported only if a pair names it, because recsign has already reported
// all bad records.
func TestUnnamedBadRecord(t *testing.T) {
	writeFiles(t)
	const bad = `{"id":"z"}` + "\n"
	if err := os.WriteFile("bad", []byte(bad+files["old"]), 0o600); err != nil {
		t.Fatal(err)
	}
	for named, want := range map[string]string{"x\ty": "", "x\tz": `bad:1: no field "text"`} {
		records := record.Options{Fields: []string{"text"}, ID: "id"}
		got, _, errs, status := probe(named+"\n", records, pairsets.Texts{Data: []string{"bad"}, Options: text.Default}, nil, "-k")
		if (status == 0) != (want == "") || !strings.Contains(errs, want) || got["x"] == nil || got["z"] != nil {
			t.Errorf("%q: %s", named, fmt.Sprint(got, errs, status))
		}
	}
}
