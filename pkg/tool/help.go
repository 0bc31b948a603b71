package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
)

// The layout of help texts, in columns: no line is longer than helpWidth, and a flag that is longer
// than nameWidth has its text on the next line.
const (
	helpWidth = 80
	nameWidth = 28
)

// help returns the text of --help or, if brief is set, of -h. It lists the flags by group, unless the
// command has so few flags that -h shows all of them. The text of -h has one line for each flag.
func (c *Command) help(fs *pflag.FlagSet, typed string, brief bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", strings.TrimRight("usage: "+typed+" [options] "+c.Usage, " "), c.Summary)
	b.WriteString(c.describeInput(fs))
	shown, essential, all := c.Options.Essential(), len(c.Options.Essential()) > 0, 0
	groups := map[flagset.Group][]helpItem{}
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		all++
		if group := flagset.GroupOf(f); !brief || essential && slices.Contains(shown, f.Name) || !essential && group != flagset.Help {
			if !essential {
				group = ""
			}
			groups[group] = append(groups[group], describeFlag(f, brief))
		}
	})
	column := 0 // of the texts
	for _, items := range groups {
		for _, item := range items {
			if n := len(item.name); n <= nameWidth || brief {
				column = max(column, n+2)
			}
		}
	}
	for _, group := range append([]flagset.Group{""}, flagset.Groups...) {
		if items := groups[group]; len(items) > 0 {
			fmt.Fprintf(&b, "\n%s", strings.TrimLeft(string(group)+"\n", "\n"))
			for _, item := range items {
				item.write(&b, column, brief)
			}
		}
	}
	if c.Epilog != "" {
		b.WriteString("\n" + c.Epilog)
	}
	b.WriteByte('\n')
	if brief && all > 2 { // more than --help and --version
		fmt.Fprintf(&b, "'%s --help' describes all %d options. ", typed, all)
	}
	fmt.Fprintf(&b, "See %s(1).\n", strings.ReplaceAll(c.Name, " ", "-"))
	return b.String()
}

// describeInput returns the lines of a help text that say which formats the operands of a command have,
// or "" if the operands are not records.
func (c *Command) describeInput(fs *pflag.FlagSet) string {
	if fs.Lookup("csv") == nil || !strings.Contains(c.Usage, "FILE...") {
		return ""
	}
	text := "\nFILE has JSON lines or Parquet, or CSV or TSV if its suffix says so.\n"
	if strings.Contains(c.Usage, "[FILE...]") {
		text += "Without FILE, standard input is read.\n"
	}
	return text
}

// A helpItem is a flag in a help text.
type helpItem struct{ name, text string }

// describeFlag returns the name and the description of a flag. A brief description ends at the first
// semicolon.
func describeFlag(f *pflag.Flag, brief bool) helpItem {
	arg, text := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	switch {
	case f.Shorthand != "":
		name = "-" + f.Shorthand + ", --" + f.Name
	case !brief:
		name = "    " + name // below the long names of flags with a short one
	}
	switch {
	case f.NoOptDefVal != "" && f.NoOptDefVal != "true":
		name += "[=" + f.NoOptDefVal + "]"
	case f.NoOptDefVal == "" && arg != "":
		name += " " + arg
	}
	if brief {
		text, _, _ = strings.Cut(text, "; ")
	}
	if value := shownDefault(f); value != "" && !strings.Contains(text, "(default") {
		text += " (default " + value + ")"
	}
	return helpItem{"  " + name, text}
}

// shownDefault returns the default of a flag as users type it. It returns "" if the default means
// that the flag is absent.
func shownDefault(f *pflag.Flag) string {
	if least, numeric := flagset.LeastOf(f); numeric && (f.DefValue == "0" && least > 0 || f.DefValue == "-1" && least > -1) {
		return ""
	}
	if f.DefValue == "false" {
		return ""
	}
	return strings.Trim(f.DefValue, "[]") // pflag writes lists in brackets
}

// write writes the item with its text from the given column on, in one line or, unless brief is set,
// in as many lines as helpWidth requires.
func (i helpItem) write(b *strings.Builder, column int, brief bool) {
	b.WriteString(i.name)
	at := len(i.name)
	if at+2 > column {
		b.WriteByte('\n')
		at = 0
	}
	b.WriteString(strings.Repeat(" ", column-at))
	at = column
	for n, word := range strings.Fields(i.text) {
		switch {
		case n == 0:
		case brief || at+1+len(word) <= helpWidth:
			b.WriteByte(' ')
			at++
		default:
			b.WriteString("\n" + strings.Repeat(" ", column))
			at = column
		}
		b.WriteString(word)
		at += len(word)
	}
	b.WriteByte('\n')
}
