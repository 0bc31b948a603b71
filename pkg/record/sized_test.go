package record

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"doppel/pkg/record/dataform"
)

// writeSized adds a column named n to a table, with the values 1, 2, 3, 1, 2, 3 and so on.
func writeSized(t *testing.T, s string, force bool) (string, error) {
	t.Helper()
	rd, err := NewReader(Input{Stdin: strings.NewReader(s)}, Options{Dialect: Dialect{CSV: true, Quote: '"'}})
	if err != nil {
		t.Fatal(err)
	}
	rd.SetUse(func(dataform.Kind) (Use, error) {
		return Use{Columns: func(names []string) error {
			if slices.Contains(names, "n") && !force {
				return errors.New("there is a column")
			}
			return nil
		}}, nil
	})
	var out []byte
	var b Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
		b.Decode()
		for i := range b.Records {
			out, err = rd.Table().AppendWith(out, b.Records[i].Raw, "n", strconv.FormatInt(1+b.Records[i].Ordinal%3, 10))
			if out = append(out, '\n'); err != nil {
				return "", err
			}
		}
	}
	header := rd.Header()
	if table := rd.Table(); !slices.Contains(table.Names(), "n") {
		if header, err = table.AppendWith(nil, header, "n", "n"); err != nil {
			return "", err
		}
	}
	return string(header) + "\n" + string(out), nil
}

// FuzzExtendRows checks with encoding/csv that an extended table has one more column, or new values
// in the existing column of that name, and that no byte outside that column has changed.
func FuzzExtendRows(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "n,a\r\n1,\"x\r\ny\"\r\n\"\",2\r\n", "a\n\"b\"\n\n \n", "a,n,\"n\"\n\",\",\"\"\"\",\n", "a,b\n1,2", "a\n\"\"\n"} {
		f.Add(s, false, false)
		f.Add(s, true, true)
	}
	f.Fuzz(func(t *testing.T, s string, tabs, force bool) {
		comma := ","
		if strings.Contains(s, "\t") {
			return
		}
		if first, _, _ := strings.Cut(s, "\n"); tabs && strings.Contains(first, ",") {
			comma = "\t"
			s = strings.ReplaceAll(s, ",", comma)
		}
		read := func(s string) ([][]string, error) {
			oracle := csv.NewReader(strings.NewReader(s))
			oracle.Comma = rune(comma[0])
			return oracle.ReadAll()
		}
		want, err := read(s)
		if err != nil || readOtherwise(s, want) {
			return
		}
		at := slices.Index(want[0], "n")
		got, err := writeSized(t, s, force)
		if at >= 0 && !force {
			if err == nil {
				t.Fatalf("%q has the column, and became %q", s, got)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		for i := range want {
			value := strconv.Itoa(1 + (i+2)%3)
			if i == 0 {
				value = "n"
			}
			if at >= 0 {
				want[i][at] = value
			} else {
				want[i] = append(want[i], value)
			}
		}
		if rows, err := read(got); err != nil || !slices.EqualFunc(rows, want, slices.Equal[[]string]) {
			t.Fatalf("%q became %q: %v, want %q", s, got, err, want)
		}
		if rest := strings.NewReplacer(comma+"n", "", comma+"1", "", comma+"2", "", comma+"3", ""); at < 0 && !strings.ContainsAny(s, "n123\r") &&
			strings.ReplaceAll(rest.Replace(got), "\n", "") != strings.ReplaceAll(s, "\n", "") {
			t.Fatalf("%q became %q", s, got)
		}
	})
}
