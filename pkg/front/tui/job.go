package tui

// A Job is what is done.
type Job int

// The jobs.
const (
	Fuzzy  Job = iota
	Exact      // records of the same text
	Filter     // records that break a rule
	Equal      // files of the same bytes, whatever they are
	jobs
)

// said is what is said of the jobs: the name, what is done, and what stands in place of
// a threshold.
var said = [jobs]struct{ name, what, instead string }{
	Fuzzy:  {"fuzzy", "remove near-duplicates of the field", ""},
	Exact:  {"exact", "remove exact duplicates of the field", "(equal)"},
	Filter: {"filter", "remove what breaks a rule of quality", "(rules of the preset default)"},
	Equal:  {"files", "list the files that are equal", "(every byte)"},
}

func (j Job) String() string { return said[j].name }

// words are the first ones behind doppel. The filter is the tool itself, which is told a
// field.
func (j Job) words() []string {
	if j == Filter {
		return []string{"recfilter", "--apply"}
	}
	return []string{j.String()}
}

// ending is what the name of an output ends in.
func (j Job) ending() string {
	if j == Filter {
		return ".filtered"
	}
	return ".deduped"
}

func (j Job) hasThreshold() bool { return j == Fuzzy }

func (j Job) hasField() bool { return j != Equal }
