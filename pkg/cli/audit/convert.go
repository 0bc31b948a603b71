package audit

import (
	"bufio"
	"fmt"
	"path/filepath"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// An origin is a file whose records were converted; end is the ordinal after its last record.
type origin struct {
	name string
	end  int64
}

// convertedInputs converts the records of the inputs, or only the kept ones, as converted does. in
// notes the others.
func (a *run) convertedInputs(in *inputItems, opt record.Options, kind dataform.Kind, onlyKept bool) (name string, origins []origin, err error) {
	var sizes *write.Sizes
	if a.Sizes.ClusterSize != "" {
		sizes = &write.Sizes{Field: a.Sizes.ClusterSize, Force: a.Sizes.Force}
	}
	if !onlyKept {
		return a.converted(in.inputs, opt, kind, sizes, nil)
	}
	if a.opt.Missing == record.MissingDrop {
		opt.Fields, opt.Missing = a.opt.Fields, a.opt.Missing
		defer func(was func(*record.Record) error) { a.e.OnMissing = was }(a.e.OnMissing)
		a.e.OnMissing = func(rec *record.Record) error { in.leftOut.add(rec.Ordinal); return nil }
	}
	return a.converted(in.inputs, opt, kind, sizes, in)
}

// converted writes the records of some files to a scratch file of the given kind. It returns a name
// by which this process can open the scratch file until closeScratch is called, and the origins of its
// records. If sizes is not nil, the records get its field. If in is not nil, records that a decision
// drops are left out, and in notes each of them.
func (a *run) converted(names []string, opt record.Options, kind dataform.Kind, sizes *write.Sizes, in *inputItems) (name string, origins []origin, err error) {
	f, err := spill.Create()
	if err != nil {
		return "", nil, err
	}
	a.scratch = append(a.scratch, f)
	opt.Torn = false
	rd, err := record.NewReader(a.e.Input(names), opt)
	if err != nil {
		return "", nil, err
	}
	begin := int64(0) // ordinal of the first record of the last origin
	out := bufio.NewWriterSize(f, 1<<18)
	sink := write.New(rd, out, dataform.Form{Kind: kind}, sizes)
	err = tool.EachRecord(a.e, rd, func(rec *record.Record) error {
		if n := len(origins); n == 0 || origins[n-1].name != rec.Name {
			origins, begin = append(origins, origin{name: rec.Name}), rec.Ordinal
		}
		origins[len(origins)-1].end = rec.Ordinal + 1
		ordinal, inFile := a.records+rec.Ordinal, rec.Ordinal-begin
		dropped := in != nil && a.drops(rec.Name, ordinal, inFile)
		if cuts := a.cutsOf(rec.Name, ordinal, inFile); in != nil && !dropped && len(cuts) > 0 {
			text, err := a.decoder.Text(rec.Raw)
			if err != nil {
				return rec.At(err)
			}
			if dropped = a.isShort(cuts, len(text)); dropped {
				in.short.add(rec.Ordinal)
			}
		}
		if dropped {
			in.leftOut.add(rec.Ordinal)
			return nil
		}
		return sink.KeepSized(rec, a.sizeOf(rec.Name, ordinal, inFile))
	})
	if err == nil {
		err = sink.Close()
	}
	if err == nil {
		err = out.Flush()
	}
	return fmt.Sprintf("/dev/fd/%d", f.Fd()), origins, err
}

// closeScratch closes the files that converted has written.
func (a *run) closeScratch() {
	for _, f := range a.scratch {
		f.Close()
	}
	a.scratch = nil
}

// sizeOf returns the size of the cluster of a kept record. ordinal is the record's ordinal in the
// whole input, and inFile is its ordinal in its own file.
func (a *run) sizeOf(name string, ordinal, inFile int64) int64 {
	if n, ok := a.ledger.favours[[2]int64{0, ordinal}]; ok {
		return 1 + n
	}
	if s := a.ledger.files[filepath.Clean(name)]; s != nil {
		return 1 + a.ledger.favours[[2]int64{int64(s.order), inFile}]
	}
	return 1
}

// drops reports whether a decision drops a record, which is given as for sizeOf.
func (a *run) drops(name string, ordinal, inFile int64) bool {
	if a.ledger.all.dropped.has(ordinal) {
		return true
	}
	s := a.ledger.files[filepath.Clean(name)]
	return s != nil && s.dropped.has(inFile)
}

// cutsOf returns the dropped parts of a record, which is given as for sizeOf.
func (a *run) cutsOf(name string, ordinal, inFile int64) []cut {
	cuts := a.ledger.cutsOf(a.ledger.all, ordinal)
	if s := a.ledger.files[filepath.Clean(name)]; s != nil && len(cuts) == 0 {
		cuts = a.ledger.cutsOf(s, inFile)
	}
	return cuts
}
