package front

import (
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/flagset"
	page "doppel/pkg/report"
	"doppel/pkg/report/filereport"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
)

// filesPage is a page that shows which files are equal.
type filesPage struct {
	file  string // "": none is written
	timed bool   // it tells how long it took
	begun time.Time
	tally *filereport.Tally
}

func (p *filesPage) flags(fs *pflag.FlagSet) {
	fs.StringVar(&p.file, "report", p.file, "write a page that shows which files are equal, and what could be freed, to `FILE`")
	flags.MarkWritten(fs, "report")
	fs.BoolVar(&p.timed, "timed", p.timed, "have it tell how many seconds it took")
}

func (p *filesPage) check(a *action) error {
	switch {
	case p.timed && p.file == "":
		return tool.UsageError("--timed needs --report")
	case p.file != "" && a.yes:
		return tool.UsageError("--report shows what could be done: it excludes --yes")
	}
	return nil
}

// begin has what is found tallied, if there is a page.
func (p *filesPage) begin(o *filegroup.Options, l *lister) {
	if p.file == "" {
		return
	}
	p.begun, p.tally = time.Now(), filereport.New()
	p.tally.Elsewhere = l.o.known != ""
	l.tally = p.tally
	o.Named = func([]byte, *files.Info) { p.tally.Files++ }
}

// write writes the page.
func (p *filesPage) write(e *tool.Env, g *filesOptions, operands []string) error {
	if p.tally == nil {
		return nil
	}
	preset := defaultFiles()
	args := append(flagset.Args(findOptions{g}, findOptions{&preset}), operands...)
	run := page.Run{Command: wording.Command("doppel files", args...), Version: tool.Built()}
	if p.timed {
		run.Seconds = max(.001, time.Since(p.begun).Seconds())
	}
	out, err := e.Create(p.file)
	if err != nil {
		return err
	}
	how := "hashes of three blocks were compared, so that some may differ"
	switch {
	case g.known == "" && g.confirmation() == filegroup.Bytes:
		how = "every byte was compared"
	case g.known != "" || g.confirmation() == filegroup.Hash:
		how = "128-bit hashes of every byte were compared"
	}
	return p.tally.Page(run, how).Write(out)
}

// findOptions are the options that change what is found.
type findOptions struct{ *filesOptions }

// Flags registers them.
func (f findOptions) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, f.filesOptions, "verify", "trust", "keep", "reference", "min-size", "name", "known", "recursive", "dereference")
}
