//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// fields are keys of an object. Dots and commas mean something in a path, and
// are not among them.
var fields = []string{
	"x", "[x]", "x]", "[x", "[]", "[text]", "a b", "a\nb", "a\tb", `"q"`, "'q'", "-x", "--help", "--", "$t", `"$t"`, "`x`", "$(x)",
	"é", "a=b", "a:b", "%s", "\\", "a\\b", "#", "*", "<nil>", "null", "true", "0", "NaN", " x", "x ",
}

// fielders take --field; %s is the option.
var fielders = []struct{ name, args string }{
	{"recuniq", "recuniq %s in"},
	{"exact", "doppel exact --stats none %s in"},
	{"fuzzy", "doppel fuzzy --stats none %s in"},
	{"recsign", "recsign %s in"},
	{"fuzzy-print", "print doppel fuzzy %s --print in"},
	{"exact-print", "print doppel exact %s --print in"},
}

func fieldTrials() (trials []trial) {
	for i, field := range fields {
		for _, f := range fielders {
			trials = append(trials, trial{fmt.Sprintf("operand/field/%s/%02d", f.name, i), func(r *room) error { return fielded(r, f.args, field) }})
		}
	}
	return trials
}

// fielded gives records that differ in the field, and are equal in those for
// which a careless reader would take it: none may be dropped. Two that are
// equal in the field are one.
func fielded(r *room, args, field string) error {
	var in bytes.Buffer
	for _, text := range []string{"one two three four", "five six seven eight", "nine ten eleven twelve", "one two three four"} {
		in.Write(decoyed(field, text))
	}
	if err := r.write("i/in", in.Bytes()); err != nil {
		return err
	}
	o := r.operand(args, "--field="+field)
	if strings.HasPrefix(args, "recsign ") {
		return o.threeSigned()
	}
	return o.wants(0, strings.Join(linesOf(in.Bytes())[:3], "\n")+"\n")
}

// decoyed returns a record with a text in the field, and the same words in
// whatever else the name might be taken for.
func decoyed(field, text string) []byte {
	rec := map[string]string{}
	for _, cut := range []string{"[]", "\"", "'", " ", "\\", "-"} {
		rec[strings.Trim(field, cut)] = "the same words in all"
	}
	rec["text"] = "the same words in all"
	rec[field] = text
	line, _ := json.Marshal(rec)
	return append(line, '\n')
}

// threeSigned returns an error unless of four signatures the first three differ.
func (o outcome) threeSigned() error {
	sums := map[string]bool{}
	for line := range strings.Lines(o.stdout) {
		_, signature, _ := strings.Cut(line, "\t")
		sums[signature] = true
	}
	if o.status != 0 || len(sums) != 3 {
		return fmt.Errorf("status %d with %d signatures, not 3: %s", o.status, len(sums), firstLines(o.stderr, 1))
	}
	return nil
}
