package pipeline

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// stats are what a job reports at its end.
type stats struct {
	Records     int64   `json:"records"`
	Kept        int64   `json:"kept"`
	Duplicates  int64   `json:"duplicates"`
	Cut         int64   `json:"cut,omitempty"` // of the kept, those of which parts were cut
	*pairCounts         // nil where no stage counts it
	Seconds     float64 `json:"seconds"`
	Rate        float64 `json:"records_per_second"`
	MaxRSS      int64   `json:"peak_memory_bytes"` // of the largest process
}

// pairCounts is how many pairs there were to be compared, and how many were.
type pairCounts struct {
	Candidates int64 `json:"candidates"`
	Verified   int64 `json:"verified"`
}

// counts are what a stage writes under --stats.
type counts struct {
	Records int64            `json:"records"`
	Kept    int64            `json:"kept"`
	Dropped int64            `json:"dropped"`
	Unread  int64            `json:"unread"`
	Cut     int64            `json:"cut"`
	Reasons map[string]int64 `json:"reasons"`
	pairCounts
}

// read reads what the stage of this name wrote.
func (s *scratch) read(name string) (c counts, err error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return c, err
	}
	if err := json.NewDecoder(s.file).Decode(&c); err != nil {
		return c, fmt.Errorf("reading the statistics of %s: %w", name, err)
	}
	if c.Kept+c.Dropped != c.Records {
		return c, fmt.Errorf("%s read %s, but kept %d and dropped %d", name, wording.Number(c.Records, "record"), c.Kept, c.Dropped)
	}
	return c, nil
}

// reporting returns what reports by the counts that the last stage wrote, and the one
// that compares, if those are not nil.
func (j *Job) reporting(last, verified *scratch) func(*run, time.Duration) error {
	return func(r *run, took time.Duration) error {
		c, err := last.read("the last stage")
		if err != nil {
			return err
		}
		s := stats{c.Records, c.Kept, c.Dropped, c.Cut, nil, took.Seconds(), float64(c.Records) / took.Seconds(), r.maxRSS}
		if verified != nil {
			c, err := verified.read("the stage that compares")
			if err != nil {
				return err
			}
			s.pairCounts = &c.pairCounts
		}
		return j.tell(r.e, s, func() { s.note(r.e, j.Verbose) })
	}
}

// note tells them in words.
func (s *stats) note(e *tool.Env, verbose bool) {
	e.Note("%s, %s, %d kept%s; %.2f s, %.0f records/s, %.0f MB in the largest process",
		wording.Number(s.Records, "record"), wording.Number(s.Duplicates, "duplicate"), s.Kept, cutOf(s.Cut), s.Seconds, s.Rate, float64(s.MaxRSS)/1e6)
	if verbose && s.pairCounts != nil {
		e.Note("%s, %d verified", wording.Number(s.Candidates, "candidate"), s.Verified)
	}
}

// tell writes statistics to standard error, in the form that is asked for.
func (j *Job) tell(e *tool.Env, statistics any, asText func()) error {
	switch j.Stats {
	case "json":
		enc := json.NewEncoder(e.Stderr)
		enc.SetEscapeHTML(false) // reasons hold < and >
		return enc.Encode(statistics)
	case "text":
		asText()
	}
	return nil
}

// cutOf says of how many records parts were cut, if of any.
func cutOf(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them cut", n)
}
