// Package report makes one HTML page of what a run dropped, and why, for people
// to look at: figures, pictures with their tables, and texts side by side.
//
// The page is whole in itself. It has no script and asks for nothing: its policy
// (Content-Security-Policy) forbids both, so that what stands in a text stays text.
// Pictures are SVG within the page; what is long is folded by <details>. Characters
// that are not seen or that turn the direction of writing are shown by their numbers.
//
// The same values give the same bytes. The size is bounded, since little is shown of a
// text: a page of 120 comparisons takes less than 2 MB.
//
// Tried before: libraries for charts (go-echarts, vega) load scripts or weigh
// megabytes.
package report

import (
	"embed"
	"html/template"
	"io"
)

// A Page shows a run over records. Empty sections are omitted.
type Page struct {
	Run
	Totals Totals

	Scores     *Scores
	Thresholds []Threshold
	Doubt      string   // why the table of thresholds may not be taken at its word
	Promise    []Chance // of the bands, by similarity
	Curve      []Band
	Groups     []Comparison // of the largest groups, each its kept record and the dropped one least like it
	Near       []Comparison // the pairs nearest the threshold, the nearest first
	Reasons    []Reason
	Places     []*Places
	Keys       []Key
}

// A Run says how a page came about: what it takes to do it again.
type Run struct {
	Command string  // that runs it again, as shell text
	Chain   string  // the stages that decided, as shell text
	Version string  // of the tools
	Seconds float64 // that passed until all was decided; 0: not told, for it is another number each time
}

// Totals are what became of all records.
type Totals struct {
	Records, Dropped    int64
	Bytes, DroppedBytes int64 // of the texts
	Parts, PartBytes    int64 // of records, that were cut out
	Unread              int64 // records that could not be read, and are not counted
	Groups              int64 // of a kept record and dropped ones
	LargestGroup        int64 // its records
	Pairs               int64 // that have a score
	HasThreshold        bool
	Threshold           float64 // of the scores
	Drawn               bool    // of pairs that are equally near the threshold some are left out
	Seed                uint64  // of what is drawn at random
}

// Kept is how many records were not dropped.
func (t Totals) Kept() int64 { return t.Records - t.Dropped }

// Scores are how many pairs have a score in each range of a width, from Low.
type Scores struct {
	Low, Width float64
	Counts     []int64
}

// Table returns the rows of its table.
func (s *Scores) Table() (rows []Band) {
	for i, n := range s.Counts {
		low := s.Low + s.Width*float64(i)
		rows = append(rows, Band{Low: low, High: min(1, low+s.Width), Pairs: n})
	}
	return rows
}

// A Threshold is how many records another threshold would drop.
type Threshold struct {
	Value float64
	Drops int64
	Here  bool // it is the threshold of the run
}

// A Chance is the share of the pairs of a similarity that is promised to be found.
type Chance struct{ Similarity, Share float64 }

// A Band is a range of similarity, how many pairs there are in it, and which share of
// them was found: by theory, as measured, and between which limits that lies
// with a probability of 95%.
type Band struct {
	Low, High                    float64
	Pairs                        int64
	Promised, Found, Least, Most float64
}

// A Comparison is two texts side by side, or one that is like no other.
type Comparison struct {
	Title   string // what they are
	A, B    *Text  // B may be nil
	Command string // that shows them again, as shell text
}

// A Text is one of them. Text holds no more than its beginning if Bytes is more
// than its length.
type Text struct {
	Label string
	Text  string
	Bytes int64
}

// A Key is one that many records have: boilerplate, most often.
type Key struct {
	Key     string
	Records int64
	Example *Text
}

// A Reason is a rule, and what it dropped.
type Reason struct {
	Reason   string
	Dropped  int64
	Examples []Comparison
}

// A FilesPage shows files that are equal.
type FilesPage struct {
	Run
	How   string // what makes files equal
	Files int64  // that were looked at; 0: not told

	Groups, Copies, Freed int64 // copies are all files of a group but the one that stays
	LargestGroup          int64 // its files

	Largest     []FileGroup
	Directories Places
}

// A FileGroup is equal files, the one that stays first, by their names.
type FileGroup struct {
	Size, Copies, Freed int64
	Names               []string
	More                int64  // files whose names are not among those
	Command             string // that shows it again, as shell text
}

// An OverlapPage shows which test items are in training records.
type OverlapPage struct {
	Run
	Records, Overlapping    int64   // of the training data
	Bytes, OverlappingBytes int64   // of their texts
	Common                  int64   // windows that are not counted
	Coverage                float64 // from which on an item is contaminated

	Benchmarks []Benchmark
	Field      string  // by which Scores and Near are
	Found      int64   // items that have a coverage above 0
	Scores     *Scores // their coverage
	Near       []Comparison
}

// Totals returns what the histogram shows of the run.
func (p *OverlapPage) Totals() Totals {
	return Totals{Pairs: p.Found, HasThreshold: true, Threshold: p.Coverage}
}

// A Benchmark is what is found of a field of its items.
type Benchmark struct {
	Name, Field         string
	Items, Contaminated int64
	Low, High           float64 // of the share, with a probability of 95%
	Uncounted           int64   // items all of whose windows are common
}

//go:embed page.html files.html overlap.html parts.html
var sources embed.FS

//go:embed style.css
var style string

var pages = template.Must(template.New("").Funcs(functions).ParseFS(sources, "*.html"))

// Write writes the page.
func (p *Page) Write(w io.Writer) error { return pages.ExecuteTemplate(w, "page.html", p) }

// Write writes the page.
func (p *FilesPage) Write(w io.Writer) error { return pages.ExecuteTemplate(w, "files.html", p) }

// Write writes the page.
func (p *OverlapPage) Write(w io.Writer) error { return pages.ExecuteTemplate(w, "overlap.html", p) }
