package dupreport

import (
	"fmt"
	"strings"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
)

// command returns what runs it all again: what it was told, or this run.
func (r *session) command() string {
	if r.opt.Command != "" {
		return r.opt.Command
	}
	o := *r.opt
	o.OutputName, o.Jobs, o.Watch, o.Seconds = "", 0, flags.Display{}, 0
	o.Data, o.Scores = r.names(o.Data), r.names(o.Scores)
	for _, name := range []*string{&o.Decisions, &o.Measured, &o.Shared} {
		*name = r.name(*name)
	}
	return "dupreport " + quoted(o.Args())
}

// again returns the command that shows two texts again, if their records have a name
// by which a shell finds them.
func (r *session) again(a, b *text) string {
	for _, name := range r.opt.Data {
		if _, other := r.e.Called[name]; other || name == "-" {
			return ""
		}
	}
	if a.end+b.end > 0 || len(a.id)+len(b.id) > mostIDs {
		return "" // of a part there is no such command, and nobody types ids as long
	}
	args := append([]string{"--show"}, r.how()...)
	for _, name := range r.names(r.opt.Data) {
		args = append(args, "--records="+name)
	}
	pair := line.Pair{A: []byte(a.id), B: []byte(b.id)}.Append(nil, line.Format{})
	return "printf '" + inPrintf(string(pair)) + "' | matchsub " + quoted(args)
}

// how returns the options that say which text and which id a record has.
func (r *session) how() []string {
	have, preset := r.opt.Common, Default().Common
	if r.opt.Ordinals {
		have.Records.ID, have.Records.WithFilename = "", false
	}
	have.Records.Lines = have.Records.Lines || r.opt.Whole
	return flagset.Args(flags.Part{Common: &have, Shared: flags.Records}, flags.Part{Common: &preset, Shared: flags.Records})
}

// names returns the names that are shown of files.
func (r *session) names(files []string) []string {
	all := make([]string, len(files))
	for i, file := range files {
		all[i] = r.name(file)
	}
	return all
}

func quoted(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = wording.Quote(a)
	}
	return strings.Join(words, " ")
}

// inPrintf returns a text as it stands in a format of printf between single quotes.
func inPrintf(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\\':
			b.WriteString(`\\`)
		case c == '%':
			b.WriteString(`%%`)
		case c < ' ' || c >= 0x7f || c == '\'':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
