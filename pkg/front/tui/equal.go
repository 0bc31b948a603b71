package tui

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"doppel/pkg/line"
	"doppel/pkg/wording"
)

// mostRows is how many rows of a list are shown.
const mostRows = 10_000

// equal has doppel, which this program is, list the files that are equal. What could
// not be read is told, and the rest is listed.
func (w *worker) equal(s Setup, lines *lastLines) (*Outcome, error) {
	s.Output = ""
	text, err := w.doppel(s, lines)
	if err != nil && len(text) == 0 {
		return nil, err
	}
	told := strings.TrimPrefix(lines.last(), "doppel files: ")
	if err != nil {
		told = err.Error() + "; " + told
	}
	rows, err := groupRows(text)
	return &Outcome{Told: told, Rows: rows}, err
}

// doppel runs the command that is shown. The error is what it told first.
func (w *worker) doppel(s Setup, lines *lastLines) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(self, s.Args()...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, lines
	if err := c.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%s", firstOf(lines.first, err.Error()))
	}
	return out.Bytes(), nil
}

// groupRows lists groups, each below the size of its files.
func groupRows(list []byte) (rows []string, err error) {
	last := int64(0)
	for one := range bytes.Lines(list) {
		var g line.Group
		if err := g.Parse(bytes.TrimSuffix(one, []byte("\n"))); err != nil {
			return nil, err
		}
		if g.Group != last {
			rows = append(rows, fmt.Sprintf("%d: files of %s", g.Group, wording.Number(g.Size, "byte")))
			last = g.Group
		}
		if rows = append(rows, memberRow(&g)); len(rows) >= mostRows {
			return append(rows, "… more than are shown"), nil
		}
	}
	return rows, nil
}

func memberRow(g *line.Group) string {
	if g.Wasted > 0 {
		return "  copy   " + string(g.Name)
	}
	return "  stays  " + string(g.Name)
}
