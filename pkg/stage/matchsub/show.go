package matchsub

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/sidebyside"
	"doppel/pkg/substr"
	"doppel/pkg/tool"
)

type showOptions struct {
	on    bool
	color string
	width int
}

func (o *showOptions) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.on, "show", false, "show both texts side by side, what they share marked")
	fs.StringVar(&o.color, "color", "auto", "with --show, mark by colour `WHEN`: auto, always or never")
	fs.IntVar(&o.width, "width", 0, "with --show, fill `N` columns (0: those of the terminal, or 80)")
}

func (o *showOptions) check() error {
	if o.color != "auto" && o.color != "always" && o.color != "never" {
		return tool.UsageError("--color %s: want auto, always or never", o.color)
	}
	if o.width != 0 && o.width < 7 {
		return tool.UsageError("--width %d: want at least 7", o.width)
	}
	return nil
}

const (
	between  = " | "
	colorOn  = "\x1b[32m"
	colorOff = "\x1b[0m"
)

// A look is how pairs are shown.
type look struct {
	column int // width of each text
	color  bool
}

func (o *showOptions) look(e *tool.Env) look {
	width, terminal := e.Terminal()
	if o.width > 0 {
		width = o.width
	}
	return look{
		column: (width - len(between)) / 2,
		color:  o.color == "always" || o.color == "auto" && terminal,
	}
}

// pair shows two texts under their names.
func (l look) pair(p pair, a, b []rune, matches []substr.Match) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "%s%s%s\n", tool.Printable(string(p.a)), between, tool.Printable(string(p.b)))
	for _, row := range sidebyside.Rows(a, b, matches, l.column) {
		l.row(&out, row)
	}
	out.WriteByte('\n')
	return []byte(out.String())
}

// row shows a row, with colour or with marks below what is shared.
func (l look) row(out *strings.Builder, row sidebyside.Row) {
	text := func(s sidebyside.Span) string { return s.Text }
	if l.color {
		text = func(s sidebyside.Span) string {
			if s.Shared {
				return colorOn + s.Text + colorOff
			}
			return s.Text
		}
	}
	l.line(out, row, between, text)
	if !l.color {
		l.line(out, row, strings.Repeat(" ", len(between)), underline)
	}
}

func underline(s sidebyside.Span) string {
	if s.Shared {
		return strings.Repeat("~", s.Width)
	}
	return strings.Repeat(" ", s.Width)
}

// line writes both sides of a row, without blanks at its end, if there is
// anything else.
func (l look) line(out *strings.Builder, row sidebyside.Row, between string, text func(sidebyside.Span) string) {
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
