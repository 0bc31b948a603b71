package front

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"doppel/pkg/tool"
)

// stats are what a job reports at its end.
type stats struct {
	Records    int64   `json:"records"`
	Kept       int64   `json:"kept"`
	Duplicates int64   `json:"duplicates"`
	Seconds    float64 `json:"seconds"`
	Rate       float64 `json:"records_per_second"`
	MaxRSS     int64   `json:"peak_memory_bytes"` // of the largest process
}

// report writes the statistics to standard error.
func (r *running) report(took time.Duration) error {
	var counts struct{ Records, Kept, Dropped int64 }
	if _, err := r.stats.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := json.NewDecoder(r.stats).Decode(&counts); err != nil {
		return fmt.Errorf("reading statistics: %w", err)
	}
	if counts.Kept+counts.Dropped != counts.Records {
		return fmt.Errorf("%d records read, but %d kept and %d dropped", counts.Records, counts.Kept, counts.Dropped)
	}
	s := stats{
		Records: counts.Records, Kept: counts.Kept, Duplicates: counts.Dropped,
		Seconds: took.Seconds(), Rate: float64(counts.Records) / took.Seconds(), MaxRSS: r.maxRSS,
	}
	switch r.job.stats {
	case "json":
		if err := json.NewEncoder(r.e.Stderr).Encode(s); err != nil {
			return err
		}
	case "text":
		r.e.Note("%d records, %d duplicates, %d kept; %.2f s, %.0f records/s, %.0f MB in the largest process",
			s.Records, s.Duplicates, s.Kept, s.Seconds, s.Rate, float64(s.MaxRSS)/1e6)
	}
	if r.tolerated {
		return tool.Exit(tool.ExitTrouble)
	}
	return nil
}
