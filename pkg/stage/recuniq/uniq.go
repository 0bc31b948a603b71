package recuniq

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"

	"doppel/pkg/collection"
	"doppel/pkg/digest"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/hashset"
	"doppel/pkg/line"
	"doppel/pkg/line/dupid"
	"doppel/pkg/line/schemes"
	"doppel/pkg/method/field"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// A uniq is a run of recuniq. It writes each record that is a first copy. Once memory is full, a
// record that is not known to be a copy can be decided on only at the end of the input. Such
// records, and the kept records after them, are stored in the backlog.
type uniq struct {
	e       *tool.Env
	opt     *Options
	hashing exacthash.Options
	scheme  string
	decider *hashset.Decider
	sink    *write.Sink
	keep    func(*record.Record) error // passes a record to the sink
	save    *bufio.Writer              // output for hashes; nil if they are not saved
	backlog *backlog                   // nil if no record is stored
	known   []byte                     // buffer for the state of a stored record
	records int64                      // number of records read
	saved   line.Format                // of the saved hashes
	ids     *dupid.Table               // ids of saved hashes; nil if ids cannot repeat
	kept    int64                      // number of records written

	collected string                   // scheme of the collections
	old       *collection.Collection   // compared with the records; nil for none
	writer    *collection.Writer       // gets the hashes of the kept records; nil for none
	drops     *drops                   // nil if no decisions are written
	sums      *spill.Sorter[[3]uint64] // hashes of first copies, and their ordinals; nil without old or with drops
	inOld     bitset.Set               // ordinals of first copies that are in the collection
}

// Run writes the first copy of each record of the operands. With Duplicates it writes the later
// copies instead, and with Split it writes the records without the repeated parts.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if err := o.Adopt(e.Given); err != nil {
		return err
	}
	e.Records.Fields, e.Records.Within = o.Records.Fields, o.Records.Within
	key, err := digest.ReadKey(o.Key)
	if err != nil {
		return err
	}
	if o.Split != text.Unsplit && !o.Records.Lines && len(o.Records.Fields) == 0 {
		e.Records.Fields = []string{flags.Text}
	}
	u := &uniq{e: e, opt: o, hashing: exacthash.Options{Key: key, Whole: o.wholeRecords(), Valued: o.Records.Within != "", Normalize: o.Normalize}}
	scheme, err := u.hashing.Scheme()
	if err != nil {
		return err
	}
	u.collected = scheme.String() + field.Part(record.Options{Within: o.Records.Within, Lines: true})
	if u.scheme = scheme.String(); !o.wholeRecords() {
		u.scheme += field.Part(e.Records)
	}
	var keys *hashset.Keys
	if o.Verify {
		keys = hashset.NewKeys()
	}
	u.decider = hashset.NewDecider(hashset.Options{Mem: int64(e.Mem), Counts: o.wantsCounts(), Often: int64(o.Seen), Keys: keys})
	if err := u.openSaved(); err != nil {
		return err
	}
	if err := u.openDrops(operands); err != nil {
		return err
	}
	rd, err := u.open(operands)
	if err != nil {
		return err
	}
	counts := tool.Counts{}
	if o.Split == text.Unsplit {
		if err = u.decideAll(rd); err == nil {
			err = u.matchOld()
		}
		if err == nil {
			err = u.writeBacklog()
		}
	} else {
		counts.Cut, err = u.cutParts(rd)
	}
	if err != nil {
		return err
	}
	counts.Kept, counts.Dropped, counts.Missing, counts.Unread = u.kept, u.records-u.kept, e.Missing(), e.Unread()
	return e.WriteStats(o.Stats, counts)
}

// openSaved opens what an earlier run has saved, and what this run saves.
func (u *uniq) openSaved() (err error) {
	o, e := u.opt, u.e
	if o.UsesCollection() {
		return u.openCollections()
	}
	if o.Save != "" {
		if o.Records.ID != "" {
			u.ids = dupid.NewTable(int64(o.Mem) / 8)
		}
		u.saved = lineio.FormatOf(e, o.Save)
		if u.save, err = e.Create(o.Save); err != nil {
			return err
		}
	}
	if o.Against != "" {
		return u.addKnown(o.Against)
	}
	return nil
}

// CheckSums returns an error if a regular file does not begin with a saved hash. With -k, or if the
// file cannot be read, it returns nil.
func CheckSums(e *tool.Env, name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || e.KeepGoing {
		return nil // errors are reported when the file is read
	}
	var s line.Signature
	if first, err := lineio.First(e, name); err == nil && (s.Parse(first) != nil || schemes.Method(string(s.Scheme)) != "exact") {
		return msg.WithHint(fmt.Errorf("%s: not a file of hashes", name), "--against reads files written by --save or {recsign} -m exact; to write one from old data, run doppel exact --save SUMS FILE > /dev/null")
	}
	return nil
}

// addKnown adds the hashes in the file given by --against to the decider.
func (u *uniq) addKnown(name string) error {
	var guard schemes.Guard
	if err := guard.Check([]byte(u.scheme), "this run", 0); err != nil {
		return err
	}
	if err := CheckSums(u.e, name); err != nil {
		return err
	}
	newWorker := func() lineio.Worker[sums] { return sumReader(u.scheme) }
	return lineio.Signatures(u.e, &guard, []string{name}, newWorker, func(s *sums) error {
		for _, sum := range *s {
			if err := u.decider.Know(sum); err != nil {
				return err
			}
		}
		return nil
	})
}

type sums []digest.Sum

// A sumReader parses the sums of signatures. Its value is the scheme that the signatures must have.
type sumReader string

// Take appends the sum of a signature to the list. It skips signatures of other schemes, which the
// guard rejects.
func (scheme sumReader) Take(all *sums, s line.Signature) error {
	if string(s.Body) == schemes.Empty || string(s.Scheme) != string(scheme) {
		return nil
	}
	sum, err := digest.Parse(s.Body)
	*all = append(*all, sum)
	return err
}

// A hashBatch holds the hashes of the records in a batch.
type hashBatch struct {
	sums []exacthash.Sum
	ok   []bool   // whether each record has a hash; an empty text has none, so it is never a copy
	keys [][]byte // bytes to compare if --verify is given; otherwise nil
}

// open returns the reader of the records, and creates their sink.
func (u *uniq) open(names []string) (*record.Reader, error) {
	u.e.Sizes = u.opt.Sizes.Sink()
	rd, err := record.NewReader(u.e.Input(names), u.e.Records)
	if err != nil {
		return nil, err
	}
	if u.sink, err = u.e.Sink(rd, dataform.Kind{}); err != nil {
		return nil, err
	}
	u.keep = u.sink.Gather
	return rd, nil
}

func (u *uniq) decideAll(rd *record.Reader) error {
	newWork := func() func(*record.Batch) hashBatch {
		signer, _ := u.hashing.NewSigner() // no error, because Run has checked the options
		return func(b *record.Batch) hashBatch {
			h := hashBatch{sums: make([]exacthash.Sum, len(b.Records)), ok: make([]bool, len(b.Records))}
			for i := range b.Records {
				rec := &b.Records[i]
				if rec.Err == nil {
					h.sums[i], h.ok[i] = signer.Sum(rec.Text, rec.Ends)
				}
				if h.ok[i] && u.hashing.Valued {
					h.sums[i] = signer.Valued(h.sums[i], rec.Value)
				}
				if u.opt.Verify {
					h.keys = append(h.keys, bytes.Clone(signer.Key(rec.Text, rec.Ends)))
				}
			}
			return h
		}
	}
	return tool.Batches(u.e, rd, newWork, func(b *record.Batch, h hashBatch) (err error) {
		for i := range b.Records {
			if rerr := b.Records[i].Err; rerr != nil || err != nil {
				if err == nil && errors.Is(rerr, record.ErrMissing) {
					err = u.drops.addMissing(&b.Records[i])
				}
				continue
			}
			var key []byte
			if h.keys != nil {
				key = h.keys[i]
			}
			err = u.decideRecord(&b.Records[i], h.sums[i], h.ok[i], key)
		}
		return cmp.Or(err, u.sink.Flush())
	})
}

func (u *uniq) decideRecord(rec *record.Record, sum exacthash.Sum, hashable bool, key []byte) error {
	u.records++
	if err := u.sink.CheckSized(rec); err != nil { // check now, because stored records have no line numbers
		return u.e.Skip(err)
	}
	v := hashset.First
	if hashable {
		var err error
		if v, err = u.decider.Decide(sum, rec.Ordinal, key); err != nil {
			return err
		}
		if u.sums != nil && v != hashset.Again {
			err = u.addSum(sum, rec.Ordinal)
		}
		if err = cmp.Or(err, u.drops.add(rec, sum)); err != nil {
			return err
		}
	}
	if v == hashset.Later || u.old != nil && v == hashset.First || u.opt.wantsCounts() && v == hashset.First || u.backlog != nil && u.wanted(v) {
		d := decision{sum, v, hashable}
		u.known = d.append(u.known[:0])
		return u.addToBacklog(rec, u.known)
	}
	return u.writeDecided(rec, sum, v, hashable)
}

// wanted reports whether records with this verdict are written.
func (u *uniq) wanted(v hashset.Verdict) bool {
	return (v == hashset.First) != u.opt.Duplicates
}

// writeDecided writes a record if records with its verdict are wanted, and saves its hash if it is
// a first copy.
func (u *uniq) writeDecided(rec *record.Record, sum exacthash.Sum, v hashset.Verdict, hashable bool) error {
	if u.save != nil && v == hashset.First && hashable {
		if u.ids != nil {
			if err := u.ids.Note(rec); err != nil { // the id is a duplicate, so it would not identify the hash
				return u.e.Skip(err)
			}
		}
		if err := u.saveSum(rec.ID, sum); err != nil {
			return err
		}
	}
	if u.writer != nil && v == hashset.First && hashable {
		if err := u.writer.AddSum(rec.ID, sum); err != nil {
			return err
		}
	}
	if !u.wanted(v) {
		return nil
	}
	u.kept++
	return u.keep(rec)
}

// saveSum saves the hash of a record or of a part.
func (u *uniq) saveSum(id []byte, sum exacthash.Sum) error {
	s := line.Signature{ID: id, Scheme: []byte(u.scheme), Body: sum.AppendHex(nil)}
	_, err := u.save.Write(s.Append(u.save.AvailableBuffer(), u.saved))
	return err
}
