package tool

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"doppel/pkg/line/dupid"
	"doppel/pkg/record"
)

// The note that the table of ids is full is printed exactly once.
func TestTellFull(t *testing.T) {
	var errs bytes.Buffer
	e := &Env{Name: "x", places: dupid.NewTable(1)}
	e.Stderr = &errs
	for i := range 20 {
		var b record.Batch
		for j := range 100 {
			b.Records = append(b.Records, record.Record{ID: strconv.AppendInt(nil, int64(100*i+j), 10)})
		}
		if e.markIDs(&b) {
			t.Fatal("an id came twice")
		}
		if i == 3 && errs.Len() > 0 {
			t.Error(errs.String())
		}
	}
	if got := errs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "the first 768 ids") {
		t.Errorf("%q", got)
	}
}

// wait blocks only if the number of bytes in use is above the limit.
func TestUnderway(t *testing.T) {
	u, done := newByteLimiter(10), make(chan bool)
	u.add(10)
	u.wait() // must not block at exactly the limit
	u.add(1)
	go func() {
		u.wait()
		done <- true
	}()
	select {
	case <-done:
		t.Error("not waited for")
	default:
	}
	u.add(-1)
	<-done
}
