package matchsub

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/msg"
	"doppel/pkg/substr"
	"doppel/pkg/substr/worddiff/sidebyside"
	"doppel/pkg/tool"
)

// Show says how texts are shown to people.
type Show struct {
	On    bool   // show texts instead of writing matches
	Color string // auto, always or never
	Width int    // width in columns; 0 for the width of the terminal or, without a terminal, 80
}

// minWidth is the minimum width: two columns of two characters, and the separator.
const minWidth = 2 + len(between) + 2

// Flags registers the flags that set these options.
func (o *Show) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.On, "show", o.On, "show both texts side by side, with matches marked")
	fs.StringVar(&o.Color, "color", o.Color, "with --show: mark matches by colour `WHEN`: auto, always or never")
	fs.IntVar(&o.Width, "width", o.Width, "with --show: fill `N` columns (default 0: as the terminal has, or 80)")
	flagset.Assign(fs, flagset.Output, "show", "color", "width")
}

const (
	between  = " | "
	colorOn  = "\x1b[32m"
	colorOff = "\x1b[0m"
)

// A layout says how pairs are shown.
type layout struct {
	column int  // width of the column of each text, in terminal cells
	color  bool // mark matches by colour, not by characters below the text
}

func (o *Show) layout(e *tool.Env) layout {
	e.Coloured()
	width, terminal := e.Terminal()
	if o.Width > 0 {
		width = o.Width
	}
	return layout{
		column: (width - len(between)) / 2,
		color:  o.Color == "always" || o.Color == "auto" && terminal,
	}
}

// showPair returns two texts side by side, below a line with their names.
func (l layout) showPair(s sides[rune], matches []substr.Match) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "%s%s%s\n", msg.Printable(string(s.A)), between, msg.Printable(string(s.B)))
	for _, row := range sidebyside.Rows(s.a, s.b, matches, l.column) {
		l.writeRow(&out, row)
	}
	out.WriteByte('\n')
	return []byte(out.String())
}

// writeRow writes a row, and marks shared text by colour or by a line of marks below the row.
func (l layout) writeRow(out *strings.Builder, row sidebyside.Row) {
	if l.color {
		l.writeLine(out, row, between, func(s sidebyside.Span) string {
			if s.Shared {
				return colorOn + s.Text + colorOff
			}
			return s.Text
		})
		return
	}
	l.writeLine(out, row, between, func(s sidebyside.Span) string { return s.Text })
	l.writeLine(out, row, strings.Repeat(" ", len(between)), func(s sidebyside.Span) string {
		if s.Shared {
			return strings.Repeat("~", s.Width)
		}
		return strings.Repeat(" ", s.Width)
	})
}

// writeLine writes both sides of a row, and calls text to get the text of each span. It omits
// trailing blanks, and writes nothing for an empty line.
func (l layout) writeLine(out *strings.Builder, row sidebyside.Row, between string, text func(sidebyside.Span) string) {
	var line strings.Builder
	used := 0
	for _, s := range row.Left {
		line.WriteString(text(s))
		used += s.Width
	}
	line.WriteString(strings.Repeat(" ", l.column-used) + between)
	for _, s := range row.Right {
		line.WriteString(text(s))
	}
	if shown := strings.TrimRight(line.String(), " "); shown != "" {
		out.WriteString(shown + "\n")
	}
}
