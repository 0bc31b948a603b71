package record

import (
	"bytes"

	"doppel/pkg/record/dataform"
	"doppel/pkg/wording"
)

// Where whole lines are compared or copied nothing is parsed, and a line that a
// crash or a full disk has cut short would pass for a record of its own. So of JSON
// lines the first and the last byte are looked at: what begins an object ends one.
// A line that was cut just behind the brace of an inner object is not noticed;
// scanning all of each line would, and makes recuniq a fifth slower.
//
//	recuniq big.jsonl    200 MB, 91,452 lines, processor time, median of 9
//	nothing looked at    0.138 s
//	first and last byte  0.141 s
//	every line scanned   0.167 s

// jsonLines reports whether a stream is of JSON lines: its name says so, or its
// first line is an object, or the beginning of one.
func jsonLines(name string, data []byte) bool {
	if dataform.KindOf(name) == "jsonl" {
		return true
	}
	data = bytes.TrimLeft(bytes.TrimPrefix(data, utf8Mark), " \t\r\n")
	first, _, _ := bytes.Cut(data, lineEnd)
	if len(first) == 0 || first[0] != '{' {
		return false
	}
	s := scanner{data: first}
	i := s.space(1)
	return i < len(first) && (s.value(0, nil, 0) >= 0 || first[i] == '"' && s.at == len(first))
}

// markTorn sets the error of records that are no JSON by their ends.
func markTorn(b *Batch) {
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Err == nil && !whole(rec.Raw) {
			s := scanner{}
			if err := s.scan(rec.Raw, &node{slot: -1}); err != nil {
				rec.Err = wording.WithHint(err, "--lines takes lines of any bytes")
			}
		}
	}
}

// whole reports whether a line ends what it begins.
func whole(line []byte) bool {
	line = bytes.TrimSpace(line)
	last := len(line) - 1
	if last < 1 {
		return false
	}
	switch line[0] {
	case '{':
		return line[last] == '}'
	case '[':
		return line[last] == ']'
	case '"':
		return line[last] == '"'
	}
	return false
}
