package record

import (
	"bytes"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/msg"
	"doppel/pkg/record/jsonscan"
	"doppel/pkg/record/jsonstr"
)

// Many datasets are divided into directories named key=value, such as year=2024/lang=de. The files in
// them lack these fields. A Reader adds the fields to the records while it decodes them, so that they
// can be named like other fields, and so that equal rows of two directories differ. If several files
// become one output, its records have the fields, too.

// A Partition is a field that a directory gives to all records of the files in it.
type Partition struct {
	Name  string
	Value string
	Null  bool // the directory is named key=__HIVE_DEFAULT_PARTITION__
}

// hiveNull is the value of a directory whose records have no value for the key.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

// PartitionsOf returns the fields that the directories in the name of a file define, in the order of
// the path. If two directories have the same key, the inner one counts.
func PartitionsOf(name string) (all []Partition) {
	for dir := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(name)), "/") {
		key, value, ok := strings.Cut(dir, "=")
		if !ok || key == "" {
			continue
		}
		p := Partition{Name: unescaped(key), Value: unescaped(value), Null: value == hiveNull}
		if i := slices.IndexFunc(all, func(q Partition) bool { return q.Name == p.Name }); i >= 0 {
			all = slices.Delete(all, i, i+1)
		}
		all = append(all, p)
	}
	return all
}

// JoinsPartitions reports whether records of the inputs get fields of directories when they become
// one output, because there are several inputs or a directory. It assumes that no record has these
// fields. Directories that cannot be read count as empty.
func JoinsPartitions(names []string, opt *Options) bool {
	if opt.NoPartitions || opt.Names || opt.Lines || !joins(names) {
		return false
	}
	for _, name := range names {
		inside, _ := FilesOf(name)
		if slices.ContainsFunc(inside, func(name string) bool { return PartitionsOf(name) != nil }) {
			return true
		}
	}
	return false
}

// joins reports whether a single output of these inputs has the fields of directories.
func joins(names []string) bool { return len(names) > 1 || len(names) == 1 && isDirectory(names[0]) }

// unescaped decodes the sequences %XX that writers use for characters that names cannot have.
func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// JSON returns the value as JSON: a string or null.
func (p *Partition) JSON() []byte {
	if p.Null {
		return []byte("null")
	}
	return jsonstr.Append(nil, []byte(p.Value))
}

// partitioned makes Decode add the fields to the records of lines. After decoding, the lines have the
// fields only if stay is true.
func (b *Batch) partitioned(parts []Partition, t *Table, stay bool) {
	decode := b.decode
	b.lines = nil // a line that is read again by its offset lacks the fields
	b.decode = func(b *Batch) {
		plain := make([][]byte, len(b.Records))
		add := newMembers(parts).appendObject
		if t != nil {
			add = t.appendParts(parts)
		}
		for i := range b.Records {
			rec := &b.Records[i]
			plain[i] = rec.Raw
			if start, end := b.Append(func(dst []byte) []byte { return add(dst, rec.Raw) }); end > start {
				rec.Raw = b.Bytes(start, end)
			}
		}
		decode(b)
		for i := range b.Records {
			if !stay {
				b.Records[i].Raw = plain[i]
			}
		}
	}
}

// A members adds the fields of directories to objects.
type members struct {
	all    *jsonscan.Extender // adds all fields
	single []*jsonscan.Extender
	values [][]byte
}

func newMembers(parts []Partition) *members {
	m := &members{}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
		m.single, m.values = append(m.single, jsonscan.NewExtender(false, p.Name)), append(m.values, p.JSON())
	}
	m.all = jsonscan.NewExtender(false, names...)
	return m
}

// appendObject appends an object with those fields that it lacks. It appends nothing if the line
// cannot be extended; decoding reports such a line.
func (m *members) appendObject(dst, line []byte) []byte {
	if wide, err := m.all.Extend(line, m.values...); err == nil {
		return append(dst, wide...)
	}
	for i, one := range m.single {
		if wide, err := one.Extend(line, m.values[i]); err == nil {
			line = wide
		}
	}
	return append(dst, line...)
}

// appendParts returns a function that appends a row with the columns that addNames added to the
// header.
func (t *Table) appendParts(parts []Partition) func(dst, row []byte) []byte {
	var fields []byte
	for _, p := range parts {
		if slices.Contains(t.added, p.Name) {
			fields = append(append(fields, t.comma), t.quotedField(p.text())...)
		}
	}
	return func(dst, row []byte) []byte {
		row, cr := bytes.CutSuffix(row, []byte("\r"))
		dst = append(append(dst, row...), fields...)
		if cr {
			dst = append(dst, '\r')
		}
		return dst
	}
}

// text returns the value as the field of a table, which is empty for null.
func (p *Partition) text() string {
	if p.Null {
		return ""
	}
	return p.Value
}

// addNames returns the header row and the names of a table with the fields that it lacks, and the
// names of these fields. It returns an error if a name or a value cannot be a field of the table.
func (t *Table) addNames(row []byte, names []string, parts []Partition) (wide []byte, all, added []string, err error) {
	all = names
	wide, cr := bytes.CutSuffix(slices.Clone(row), []byte("\r"))
	for _, p := range parts {
		if slices.Contains(names, p.Name) {
			continue
		}
		for _, text := range []string{p.Name, p.text()} {
			if !t.holds(text) {
				return nil, nil, nil, msg.WithHint(fmt.Errorf("the directory %q cannot be a field of a table whose fields are not quoted", p.Name+"="+p.text()), "--no-partitions ignores such directories")
			}
		}
		all, added = append(all, p.Name), append(added, p.Name)
		wide = append(append(wide, t.comma), t.quotedField(p.Name)...)
	}
	if cr {
		wide = append(wide, '\r')
	}
	return wide, all, added, nil
}

// holds reports whether a text can be a field of a table in this format.
func (f rowFormat) holds(text string) bool {
	fields := 0
	f.eachField(f.quotedField(text), func(int, []byte) { fields++ })
	return fields == 1 && string(f.unquoted(nil, f.quotedField(text))) == text && (f.quote != 0 && !f.inLine || !strings.ContainsAny(text, "\r\n"))
}
