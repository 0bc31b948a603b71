package audit

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/audit"
	"doppel/pkg/manifest"
	_ "doppel/pkg/manifest/checksum"
	"doppel/pkg/msg"
	"doppel/pkg/tool"
	"doppel/pkg/tool/describe"
)

// ofAudit lists the flags that say how the audit works. The others describe the run.
var ofAudit = []string{"of", "sample", "mem", "jobs", "keep-going", "progress", "no-progress"}

// Follow takes the options and the operands of the run from its manifest. Without --decisions, the
// only operand names the manifest.
func (o *Options) Follow(fs *pflag.FlagSet, operands []string) ([]string, error) {
	if o.Decisions != "" || len(operands) != 1 {
		return operands, nil
	}
	name := operands[0]
	m, err := manifest.Open(name)
	if _, missing := errors.AsType[*os.PathError](err); missing {
		return nil, err
	} else if err != nil {
		return nil, msg.WithHint(err, "without --decisions, the operand is the manifest of the run")
	}
	var names []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(ofAudit, f.Name) {
			names = append(names, f.Name)
		}
	})
	if fs.Changed("of") && o.Of != m.Command {
		return nil, tool.UsageError("--of %s: the run was doppel %s, by %s", o.Of, m.Command, name)
	}
	o.manifest = m
	if o.sumsOnly = sumsOnly(m); o.sumsOnly != "" {
		return m.Operands, nil
	}
	o.Of = m.Command
	return m.Operands, describe.TakeOptions(fs, name, m, names, nil)
}

// sumsOnly returns the reason why only the checksums of a run can be checked, or "".
func sumsOnly(m *manifest.Manifest) string {
	if !slices.Contains(audited, m.Command) {
		return "the records of doppel " + m.Command + " cannot be audited"
	}
	for _, option := range []string{"ids", "annotate", "count", "duplicates"} {
		if _, given := m.Values(option); given {
			return "the run had --" + option
		}
	}
	if _, given := m.Values("decisions"); !given {
		return "the run had no --decisions"
	}
	return ""
}

// checkSums compares the files of the run with their checksums in the manifest.
func (a *run) checkSums() error {
	if a.manifest == nil {
		return nil
	}
	for _, f := range slices.Concat(a.manifest.Inputs, a.manifest.Outputs) {
		difference, err := f.Compare()
		if err != nil {
			return err
		}
		a.sums++
		if difference == "" {
			continue
		}
		if err := a.report(audit.Fault{Name: f.Name, Record: -1, What: difference}); err != nil {
			return err
		}
	}
	return nil
}

// auditSums checks only the checksums of a run.
func (o *Options) auditSums(e *tool.Env) error {
	a := &run{Options: o, e: e}
	if err := a.checkSums(); err != nil && err != errFirst {
		return err
	}
	if a.faults > 0 {
		return a.end()
	}
	_, err := fmt.Fprintf(e.Out, "%s: no fault; only checksums were compared, because %s\n", msg.Number(a.sums, "file"), o.sumsOnly)
	return err
}

// summary returns the counts of an audit without a fault.
func (a *run) summary() string {
	var parts []string
	if a.manifest != nil {
		parts = append(parts, msg.Number(a.sums, "file"))
	}
	parts = append(parts, msg.Number(a.records, "record"), fmt.Sprintf("%d kept", a.kept), fmt.Sprintf("%d dropped", a.dropped))
	if n := len(a.ledger.cuts); n > 0 {
		parts = append(parts, msg.Number(int64(n), "part")+" cut")
	}
	parts = append(parts, msg.Number(a.counted, "score")+" counted again")
	for _, x := range a.collections {
		if x.added > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", x.added, x.dir))
		}
	}
	if a.unknown > 0 {
		parts = append(parts, fmt.Sprintf("%d dropped without evidence", a.unknown))
	}
	return strings.Join(parts, ", ")
}
