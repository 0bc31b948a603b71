package front

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/tool"
)

// inspect shows the first records of a dataset.
func inspect() *tool.Command {
	var n int
	return tool.Adapt(&tool.Old{
		Name:    "doppel inspect",
		Summary: "show the first records of a dataset, for people to read",
		Usage:   "[FILE...]",
		Flagger: func(fs *pflag.FlagSet) {
			fs.IntVarP(&n, "records", "n", 10, "show at most `N` records")
		},
		Runner: func(e *tool.Env, args []string) error {
			e.Jobs = 1 // a few records need no threads, and nothing is read ahead
			rd, err := record.NewReader(e.Input(args), e.Records)
			if err != nil {
				return err
			}
			return show(e, rd, n)
		},
	})
}

// errEnough ends the reading.
var errEnough = errors.New("enough records")

func show(e *tool.Env, rd *record.Reader, n int) error {
	if n <= 0 {
		return nil
	}
	err := tool.EachRecord(e, rd, func(rec *record.Record) error {
		fmt.Fprintf(e.Out, "# record %s\n", rec.ID)
		if err := showRecord(e, rec); err != nil {
			return err
		}
		if n--; n == 0 {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		return nil
	}
	return err
}

// showRecord writes a record with its fields on lines of their own, or as it
// is if it is no JSON, and nothing that would act on a terminal.
func showRecord(e *tool.Env, rec *record.Record) error {
	var b bytes.Buffer
	if err := json.Indent(&b, rec.Text, "", "  "); err != nil {
		b.Reset()
		b.Write(rec.Text)
	}
	for line := range bytes.Lines(append(b.Bytes(), '\n')) {
		_, err := e.Out.WriteString(tool.Printable(string(bytes.TrimSuffix(line, []byte("\n")))) + "\n")
		if err != nil {
			return err
		}
	}
	return nil
}

// count counts the records of a dataset.
func count() *tool.Command {
	return tool.Adapt(&tool.Old{
		Name:    "doppel count",
		Summary: "count the records of a dataset",
		Usage:   "[FILE...]",
		Shared:  tool.Watch,
		Runner: func(e *tool.Env, args []string) error {
			rd, err := record.NewReader(e.Input(args), e.Records)
			if err != nil {
				return err
			}
			n, err := records(e, rd)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(e.Out, n)
			return err
		},
	})
}

// records counts without decoding.
func records(e *tool.Env, rd *record.Reader) (n int, err error) {
	var b record.Batch
	for {
		if err := rd.Next(&b); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		n += len(b.Records)
		e.Progress.Add(len(b.Records), b.Size())
	}
}
