// Package report writes an HTML page about the records that a run dropped and the reasons, with
// figures, charts and their tables, and texts side by side.
//
// The page is self-contained. It has no script and loads nothing: its Content-Security-Policy
// forbids both, so that the text of a record cannot become code. Charts are inline SVG;
// <details> folds long parts. Invisible characters and characters that change the direction of
// writing are shown as code points.
//
// The same values give the same bytes. The size is limited, because only a little of each text
// is shown: a page of 120 comparisons takes less than 2 MB.
//
// Chart libraries (go-echarts, vega) were tried: they load scripts or have megabytes of code.
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
	Doubt      string   // why the table of thresholds may be inexact
	Promise    []Chance // the curve predicted from the bands
	Curve      []Band
	Groups     []Comparison // the largest groups: each kept record next to its least similar duplicate
	Near       []Comparison // the pairs nearest the threshold, the nearest first
	Reasons    []Reason
	Places     []*Places
	Keys       []Key
}

// A Run says how the page was made, so that the run can be repeated.
type Run struct {
	Command string  // repeats the run, as shell text
	Chain   string  // the stages that decided, as shell text
	Version string  // version of the tools
	Seconds float64 // time until the last decision; 0: not shown, so that pages do not vary
}

// Totals holds the counts of a run.
type Totals struct {
	Records, Dropped    int64
	Bytes, DroppedBytes int64 // total size of the texts
	Parts, PartBytes    int64 // cut out of records
	Unread              int64 // records that could not be read, and are not counted
	Groups              int64 // groups of a kept record and its dropped records
	LargestGroup        int64 // its number of records
	Pairs               int64 // scored pairs
	HasThreshold        bool
	Threshold           float64 // threshold of the scores
	Drawn               bool    // some of the pairs equally near the threshold were left out at random
	Seed                uint64  // seed of the random choices
}

// Kept returns the number of records that were not dropped.
func (t Totals) Kept() int64 { return t.Records - t.Dropped }

// Scores counts the scored pairs in ranges of equal width, starting at Low.
type Scores struct {
	Low, Width float64
	Counts     []int64
}

// Table returns the rows of the histogram's table.
func (s *Scores) Table() (rows []Band) {
	for i, n := range s.Counts {
		low := s.Low + s.Width*float64(i)
		rows = append(rows, Band{Low: low, High: min(1, low+s.Width), Pairs: n})
	}
	return rows
}

// A Threshold says how many records a threshold would drop.
type Threshold struct {
	Value float64
	Drops int64
	Here  bool // this is the threshold of the run
}

// A Chance is the predicted probability of finding a pair of some similarity.
type Chance struct{ Similarity, Share float64 }

// A Band is a range of similarity with the number of its pairs and the share of them that was
// found: predicted, measured, and the limits of a 95% confidence interval.
type Band struct {
	Low, High                    float64
	Pairs                        int64
	Promised, Found, Least, Most float64
}

// A Comparison shows two texts side by side, or a single text.
type Comparison struct {
	Title   string // describes the texts
	A, B    *Text  // B may be nil
	Command string // shows the texts again, as shell text
}

// A Text is one side of a comparison. The field Text holds only the beginning if it is shorter
// than Bytes.
type Text struct {
	Label string
	Text  string
	Bytes int64
}

// A Key is a key shared by many records; its text is usually boilerplate.
type Key struct {
	Key     string
	Records int64
	Example *Text
}

// A Reason is a rule with the records that it dropped.
type Reason struct {
	Reason   string
	Dropped  int64
	Examples []Comparison
}

// A FilesPage shows equal files.
type FilesPage struct {
	Run
	How   string // the test that found files equal
	Files int64  // files examined; 0: not shown

	Groups, Copies, Freed int64 // copies are all files of a group except the kept one
	LargestGroup          int64 // its number of files

	Largest     []FileGroup
	Directories Places
}

// A FileGroup lists equal files by name, the kept file first.
type FileGroup struct {
	Size, Copies, Freed int64
	Names               []string
	More                int64  // number of files not listed in Names
	Command             string // shows the group again, as shell text
}

// An OverlapPage shows which test items occur in training records.
type OverlapPage struct {
	Run
	Records, Overlapping    int64   // training records
	Bytes, OverlappingBytes int64   // of their texts
	Common                  int64   // number of windows that are not counted
	Coverage                float64 // minimum coverage of a contaminated item

	Benchmarks []Benchmark
	Field      string  // the field of Scores and Near
	Found      int64   // number of items with a coverage above 0
	Scores     *Scores // their coverage
	Near       []Comparison
}

// Totals returns the values that the histogram shows.
func (p *OverlapPage) Totals() Totals {
	return Totals{Pairs: p.Found, HasThreshold: true, Threshold: p.Coverage}
}

// A Benchmark is the result for one field of a benchmark's items.
type Benchmark struct {
	Name, Field         string
	Items, Contaminated int64
	Low, High           float64 // 95% confidence interval of the contaminated share
	Uncounted           int64   // number of items with only common windows
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
