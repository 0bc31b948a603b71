package pipeline

import (
	"fmt"
	"time"

	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// stepStats are what one step of a pipeline did.
type stepStats struct {
	Step    string           `json:"step"`
	Records int64            `json:"records"`
	Kept    int64            `json:"kept"`
	Dropped int64            `json:"dropped"`
	Unread  int64            `json:"unread,omitempty"` // bad records that the step could not judge, and left out
	Reasons map[string]int64 `json:"reasons,omitempty"`
}

// pipelineStats are what a pipeline reports at its end.
type pipelineStats struct {
	Records int64       `json:"records"`
	Kept    int64       `json:"kept"`
	Steps   []stepStats `json:"steps"`
	Seconds float64     `json:"seconds"`
	MaxRSS  int64       `json:"peak_memory_bytes"` // of the largest process
}

// report checks that no record was lost between the steps, and writes the
// statistics to standard error.
func (s *steps) report(j *Job, r *run, took time.Duration) error {
	p := pipelineStats{Seconds: took.Seconds(), MaxRSS: r.maxRSS}
	for i, from := range s.counts {
		c, err := from.read(s.names[i])
		if err != nil {
			return err
		}
		if err := p.add(stepStats{s.names[i], c.Records, c.Kept, c.Dropped, c.Unread, c.Reasons}); err != nil {
			return err
		}
	}
	return j.tell(r.e, p, func() { p.note(r.e) })
}

// add adds a step, which must have read what the one before it kept.
func (p *pipelineStats) add(s stepStats) error {
	if n := len(p.Steps); n == 0 {
		p.Records = s.Records + s.Unread
	} else if before := p.Steps[n-1]; s.Records+s.Unread != before.Kept {
		return fmt.Errorf("%s kept %s, but %s read %d", before.Step, wording.Number(before.Kept, "record"), s.Step, s.Records)
	}
	p.Steps, p.Kept = append(p.Steps, s), s.Kept
	return nil
}

// note tells them in words.
func (p *pipelineStats) note(e *tool.Env) {
	for _, s := range p.Steps {
		e.Note("%s: %s, %d dropped, %d kept", s.Step, wording.Number(s.Records, "record"), s.Dropped, s.Kept)
	}
	e.Note("%s, %d kept; %.2f s, %.0f MB in the largest process", wording.Number(p.Records, "record"), p.Kept, p.Seconds, float64(p.MaxRSS)/1e6)
}
