package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Row is a record of a random dataset.
type Row struct {
	ID    string // the field id, which differs between the records of a dataset
	Text  string // the field text
	Lack  string // "missing" or "null" if the record has no text, or ""
	Title string // the field title, for tests of several fields
	Src   string // the field src, for --within and --across
	Rank  string // the field rank as JSON, or "" for a record without this field
}

// JSON returns the record as a line of JSON, without the newline.
func (r Row) JSON() string {
	b := append([]byte(`{"id":`), quote(r.ID)...)
	switch r.Lack {
	case "missing":
	case "null":
		b = append(b, `,"text":null`...)
	default:
		b = append(append(b, `,"text":`...), quote(r.Text)...)
	}
	b = append(append(b, `,"title":`...), quote(r.Title)...)
	b = append(append(b, `,"src":`...), quote(r.Src)...)
	if r.Rank != "" {
		b = append(append(b, `,"rank":`...), r.Rank...)
	}
	return string(append(b, '}'))
}

func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string can always be encoded
	return b
}

// A Shape says how Rows makes texts.
type Shape struct {
	Units    []string // the units that distinguish texts, such as words
	Join     string   // separates the units of a text
	Longest  int      // maximum number of units in the first text of a family
	Wordless bool     // also make empty texts, and texts of punctuation and emoji
	Missing  bool     // leave out the field rank in some records, and make ranks that are no numbers
	Lacking  bool     // leave out the text in some records, but not in all
}

// Words is the shape for the tests of doppel fuzzy. Its vocabulary is small, so that different
// families also share words, and the similarities of many pairs are equal to usual thresholds.
var Words = Shape{Units: strings.Fields("a b c d e f g h i j k l m n o p q r s t"), Join: " ", Longest: 9, Wordless: true}

// wordless lists texts without any word.
var wordless = []string{"", "", " ", "!!!", "!!!", "?!", "🙂", "🙂🙂", "--- ---"}

// Rows returns up to n records, in random order. They consist of families, in which texts are
// copies of each other, differ in case and punctuation only, or differ in one unit or more. Some
// families are chains, in which only neighbours are similar.
func (s Shape) Rows(r *rand.Rand, n int) (rows []Row) {
	for len(rows) < n {
		family := s.family(r, min(n-len(rows), 1+r.IntN(7)))
		for _, units := range family {
			rows = append(rows, s.row(r, units))
		}
	}
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for i := range rows {
		rows[i].ID = fmt.Sprintf("%c%d", "zay"[i%3], i)
	}
	return rows
}

// family returns n texts, as lists of units.
func (s Shape) family(r *rand.Rand, n int) (texts [][]string) {
	base := make([]string, 1+r.IntN(s.Longest))
	for i := range base {
		base[i] = s.unit(r)
	}
	chain, changes := r.IntN(3) == 0, r.IntN(3)
	for range n {
		units := slices.Clone(base)
		for range r.IntN(changes + 1) {
			units = s.change(r, units)
		}
		texts = append(texts, units)
		if chain {
			base = units
		}
	}
	return texts
}

func (s Shape) unit(r *rand.Rand) string { return s.Units[r.IntN(len(s.Units))] }

// change replaces, removes, adds or moves a unit.
func (s Shape) change(r *rand.Rand, units []string) []string {
	i := r.IntN(len(units) + 1)
	switch kind := r.IntN(5); {
	case kind == 0 && i < len(units) && len(units) > 1:
		return slices.Delete(units, i, i+1)
	case kind <= 2 && i < len(units):
		units[i] = s.unit(r)
		return units
	case kind == 3 && i < len(units):
		units[0], units[i] = units[i], units[0]
		return units
	}
	return slices.Insert(units, i, s.unit(r))
}

// row makes a record from the units of its text.
func (s Shape) row(r *rand.Rand, units []string) Row {
	row := Row{Text: strings.Join(units, s.Join), Title: s.unit(r), Src: string("xyz"[r.IntN(3)]), Rank: fmt.Sprint(r.IntN(4))}
	if s.Wordless {
		switch r.IntN(12) {
		case 0:
			row.Text = wordless[r.IntN(len(wordless))]
		case 1:
			row.Text = strings.ToUpper(row.Text)
		case 2:
			row.Text = strings.ReplaceAll(row.Text, s.Join, " - ") + "!"
		}
	}
	switch r.IntN(8) {
	case 0:
		row.Rank = fmt.Sprintf("%d.50", r.IntN(3))
	case 1:
		row.Rank = "-1"
	case 2:
		if s.Missing {
			row.Rank = [...]string{"", "null", "NaN", `""`}[r.IntN(4)]
		}
	}
	if s.Lacking && r.IntN(5) == 0 {
		row.Lack = [...]string{"missing", "null"}[r.IntN(2)]
	}
	return row
}
