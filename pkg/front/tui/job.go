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

func (j Job) String() string {
	return [...]string{Fuzzy: "fuzzy", Exact: "exact", Filter: "filter", Equal: "files"}[j]
}

// what says in words what a job does.
func (j Job) what() string {
	return [...]string{
		Fuzzy:  "remove near-duplicates of the field",
		Exact:  "remove exact duplicates of the field",
		Filter: "remove what breaks a rule of quality",
		Equal:  "list the files that are equal",
	}[j]
}

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

// instead says what stands in place of a threshold.
func (j Job) instead() string {
	return [...]string{Exact: "(equal)", Filter: "(rules of the preset default)", Equal: "(every byte)"}[j]
}
