// Package report writes HTML pages about the results of a run, such as which records were dropped
// and why. A page shows numbers, charts, the tables behind the charts, and texts side by side.
//
// A page is self-contained. It has no script and loads nothing. Its Content-Security-Policy forbids
// scripts and loading, so that the text of a record cannot become code. Charts are inline SVG, and
// long parts are folded in <details> elements. Invisible characters and characters that change the
// direction of writing are shown as code points.
//
// Pages with the same data are equal, byte for byte. The size is limited, because only a part of a
// long text is shown: a page with 120 comparisons takes less than 2 MB.
//
// Chart libraries (go-echarts, vega) were tried, but they load scripts or have megabytes of code.
package report

import (
	"embed"
	"html/template"
	"io"
	"sync"
)

// A Page shows the results of a run over records. Empty sections are omitted.
type Page struct {
	Run
	Totals Totals

	Reasons []Reason
	Places  []*Places
	Scores  *Scores
	Groups  []Comparison // the largest groups: each kept record next to its least similar duplicate
	Near    []Comparison // the pairs nearest the threshold, the nearest first
}

// A Run says how the page was made, so that the run can be repeated.
type Run struct {
	Command string  // shell command that repeats the run
	Chain   string  // shell pipeline of the stages that made the decisions
	Version string  // version of the tools
	Seconds float64 // elapsed time of the run in seconds; not shown if 0, so that pages are reproducible
}

// Totals holds the counts of a run.
type Totals struct {
	Records, Dropped    int64
	Bytes, DroppedBytes int64   // total size of the texts in all records, and in the dropped records
	Parts, PartBytes    int64   // number and total size of parts cut out of records
	Unread              int64   // number of records that could not be read; not included in Records
	Groups              int64   // number of groups, each a kept record and its duplicates
	LargestGroup        int64   // number of records in the largest group
	Pairs               int64   // number of scored pairs
	Threshold           float64 // minimum score of a duplicate; 0 if there is none
	// Drawn means that some pairs are left out of Near. Among pairs that are equally near, those
	// left out are chosen at random.
	Drawn bool
	Seed  uint64 // seed of the random choices
}

// Kept returns the number of records that were not dropped.
func (t Totals) Kept() int64 { return t.Records - t.Dropped }

// Scores counts the scored pairs in ranges of equal width, starting at Low.
type Scores struct {
	Low, Width float64
	Counts     []int64
	Threshold  float64 // shown in the histogram unless it is 0
}

// Limits returns the lower and the upper limit of the range with the given index.
func (s *Scores) Limits(i int) [2]float64 {
	low := s.Low + s.Width*float64(i)
	return [2]float64{low, min(1, low+s.Width)}
}

// A Comparison shows two texts side by side, or a single text.
type Comparison struct {
	Title   string // heading above the texts
	A, B    *Text  // B may be nil
	Command string // shell command that shows the texts
}

// A Text is one side of a comparison. Bytes is the size of the text. If Bytes is greater than
// len(Text), the field Text has only the beginning.
type Text struct {
	Label string
	Text  string
	Bytes int64
}

// A Reason is a reason for dropping records, with the number of records dropped for it and some
// examples.
type Reason struct {
	Reason   string
	Dropped  int64
	Examples []Comparison
}

// An OverlapPage shows which test items occur in training records.
type OverlapPage struct {
	Run
	Records, Overlapping    int64   // number of training records, and number of those that contain test items
	Bytes, OverlappingBytes int64   // total size of the texts in all training records, and in the records that contain test items
	Common                  int64   // number of common windows: runs of words that occur in too many items or records to count as evidence
	Coverage                float64 // minimum share of an item's windows that a record must contain for the item to count as contaminated

	Benchmarks []Benchmark
	Field      string  // field of the test items to which Found, Scores and Near apply
	Found      int64   // number of items with a coverage above 0
	Scores     *Scores // histogram of the coverage of the items counted in Found
	Near       []Comparison
}

// A Benchmark holds the counts for one field of a benchmark's items.
type Benchmark struct {
	Name, Field         string
	Items, Contaminated int64
	Low, High           float64 // limits of the 95% confidence interval of the contaminated share
	Uncounted           int64   // number of items whose windows are all common
}

//go:embed page.html overlap.html parts.html
var sources embed.FS

//go:embed style.css
var style string

// pages parses the templates when the first page is written: most runs write none.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions).ParseFS(sources, "*.html"))
})

// Write writes the page to w as HTML.
func (p *Page) Write(w io.Writer) error { return pages().ExecuteTemplate(w, "page.html", p) }

// Write writes the page to w as HTML.
func (p *OverlapPage) Write(w io.Writer) error { return pages().ExecuteTemplate(w, "overlap.html", p) }
