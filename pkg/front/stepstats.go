package front

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"doppel/pkg/tool"
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
func (s *steps) report(r *running, took time.Duration) error {
	p := pipelineStats{Seconds: took.Seconds(), MaxRSS: r.maxRSS}
	for i, f := range s.stats {
		step, err := readStep(s.names[i], f)
		if err != nil {
			return err
		}
		if i > 0 && step.Records+step.Unread != p.Steps[i-1].Kept {
			return fmt.Errorf("%s kept %d records, but %s read %d", p.Steps[i-1].Step, p.Steps[i-1].Kept, step.Step, step.Records)
		}
		p.Steps = append(p.Steps, step)
	}
	p.Records, p.Kept = p.Steps[0].Records+p.Steps[0].Unread, p.Steps[len(p.Steps)-1].Kept
	if err := p.write(r); err != nil {
		return err
	}
	if r.tolerated {
		return tool.Exit(tool.ExitTrouble)
	}
	return nil
}

// readStep reads what a stage wrote.
func readStep(name string, f *os.File) (s stepStats, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return s, err
	}
	if err := json.NewDecoder(f).Decode(&s); err != nil {
		return s, fmt.Errorf("reading the statistics of %s: %w", name, err)
	}
	if s.Step = name; s.Kept+s.Dropped != s.Records {
		return s, fmt.Errorf("%s read %d records, but kept %d and dropped %d", name, s.Records, s.Kept, s.Dropped)
	}
	return s, nil
}

func (p *pipelineStats) write(r *running) error {
	switch r.job.stats {
	case "json":
		enc := json.NewEncoder(r.e.Stderr)
		enc.SetEscapeHTML(false) // reasons hold < and >
		return enc.Encode(p)
	case "text":
		for _, s := range p.Steps {
			r.e.Note("%s: %d records, %d dropped, %d kept", s.Step, s.Records, s.Dropped, s.Kept)
		}
		r.e.Note("%d records, %d kept; %.2f s, %.0f MB in the largest process", p.Records, p.Kept, p.Seconds, float64(p.MaxRSS)/1e6)
	}
	return nil
}
