package review

import (
	"fmt"
	"unicode/utf8"

	"doppel/pkg/substr"
	"doppel/pkg/substr/worddiff"
	"doppel/pkg/substr/worddiff/sidebyside"
)

// A Sheet holds two texts side by side, laid out for columns of a given width. Laying out two texts
// of 1 MB takes about a second, so it should be done in the background.
type Sheet struct {
	Rows   []Row // all rows
	Folded []Row // the rows, with each long run of equal rows folded to a single row
}

// A Row holds one line of each column and the mark between them, or represents a run of folded
// rows.
type Row struct {
	sidebyside.Row
	Mark  rune // ' ' if both sides are equal, '|' if they differ, '<' or '>' if one side is empty
	Equal int  // number of rows in the fold; 0 if the row is not a fold
}

// NewSheet lays out two texts in two columns. The width of each column, in terminal cells, must be
// at least 2. NewSheet returns an error if the texts are too long.
func NewSheet(a, b string, columns int) (*Sheet, error) {
	if len(a)+len(b) > substr.MaxLen {
		return nil, fmt.Errorf("the two texts have more than %d characters in total", substr.MaxLen)
	}
	var equal []substr.Match // positions and sizes are in code points
	atA, atB := 0, 0
	for _, r := range worddiff.Runs(a, b) {
		inA, inB := utf8.RuneCountInString(a[r.A.Start:r.A.End]), utf8.RuneCountInString(b[r.B.Start:r.B.End])
		if r.Kind == worddiff.Equal {
			equal = append(equal, substr.Match{A: atA, B: atB, Size: inA})
		}
		atA, atB = atA+inA, atB+inB
	}
	laid := sidebyside.Rows([]rune(a), []rune(b), equal, columns)
	s := &Sheet{Rows: make([]Row, len(laid))}
	for i, r := range laid {
		s.Rows[i] = Row{Row: r, Mark: mark(r)}
	}
	s.Folded = fold(s.Rows)
	return s, nil
}

// mark returns the character between the two sides of a row, which shows how they differ even
// without colour.
func mark(r sidebyside.Row) rune {
	switch {
	case len(r.Left) == 0 && len(r.Right) == 0:
		return ' '
	case len(r.Left) == 0:
		return '>'
	case len(r.Right) == 0:
		return '<'
	case len(r.Left) == 1 && len(r.Right) == 1 && r.Left[0] == r.Right[0] && r.Left[0].Shared:
		return ' '
	}
	return '|'
}

// near is the number of equal rows shown before and after a difference.
const near = 3

// fold folds runs of equal rows that are far from a difference, if that saves at least two
// rows.
func fold(rows []Row) (folded []Row) {
	for i := 0; i < len(rows); {
		end := i
		for end < len(rows) && rows[end].Mark == ' ' {
			end++
		}
		from, to := i, end
		if i > 0 {
			from = min(i+near, end)
		}
		if end < len(rows) {
			to = max(end-near, from)
		}
		if to-from > 2 {
			folded = append(append(folded, rows[i:from]...), Row{Mark: ' ', Equal: to - from})
			i = to
		}
		folded = append(folded, rows[i:end]...)
		if i = end; end < len(rows) {
			folded = append(folded, rows[end])
			i++
		}
	}
	return folded
}

// NextDifference returns the index at which the next run of differing rows starts after the row
// with the given index. If there is no such run, it returns the given index.
func NextDifference(rows []Row, from int) int {
	i := from
	for i < len(rows) && rows[i].Mark != ' ' {
		i++
	}
	for i < len(rows) && rows[i].Mark == ' ' {
		i++
	}
	if i == len(rows) {
		return from
	}
	return i
}
