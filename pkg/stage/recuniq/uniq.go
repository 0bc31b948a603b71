package recuniq

import (
	"bufio"
	"fmt"
	"os"

	"doppel/pkg/digest"
	"doppel/pkg/digest/exact"
	"doppel/pkg/hashset"
	"doppel/pkg/line"
	"doppel/pkg/line/places"
	"doppel/pkg/line/schemes"
	"doppel/pkg/line/seal"
	"doppel/pkg/method/field"
	"doppel/pkg/record"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A uniq is a run: it decides of each record whether it is the first copy,
// and writes it at once if it can. What cannot be decided yet, because memory
// is full, and all that must not overtake it, waits in a backlog.
type uniq struct {
	e       *tool.Env
	opt     *Options
	hashing exact.Options
	scheme  string
	decider *hashset.Decider
	sink    *record.Sink
	keep    func(*record.Record) error // passes a record to the sink
	save    *bufio.Writer              // nil: hashes are not saved
	backlog *backlog                   // nil until something waits
	records int64
	ids     *places.Table // of what is saved; nil: ids are counted
	kept    int64         // first copies, or under --duplicates the others
}

func newUniq(e *tool.Env, o *Options) (*uniq, error) {
	key, err := digest.ReadKey(o.Key)
	if err != nil {
		return nil, err
	}
	u := &uniq{e: e, opt: o, hashing: exact.Options{Key: key, Whole: o.whole(), Normalize: o.Normalize}}
	scheme, err := u.hashing.Scheme()
	if err != nil {
		return nil, err
	}
	if u.scheme = scheme.String(); !o.whole() {
		u.scheme += field.Part(e.Records)
	}
	var keys *hashset.Keys
	if o.Verify {
		keys = hashset.NewKeys()
	}
	u.decider = hashset.NewDecider(hashset.Options{Mem: int64(e.Mem), Counts: o.Count, Keys: keys})
	if o.Save != "" && o.Records.ID != "" {
		u.ids = places.NewTable(int64(o.Mem) / 8)
	}
	if o.Save != "" {
		u.save, err = e.CreateSealed(seal.Form{}, o.Save)
	}
	return u, err
}

// know adds the hashes of earlier data.
func (u *uniq) know(name string) error {
	if name == "" {
		return nil
	}
	var guard schemes.Guard
	if err := guard.Check([]byte(u.scheme), "this run", 0); err != nil {
		return err
	}
	if err := u.isSaved(name); err != nil {
		return err
	}
	newWorker := func() lines.Worker[sums] { return summer(u.scheme) }
	return lines.Signatures(u.e, &guard, []string{name}, newWorker, func(s *sums) error {
		for _, sum := range *s {
			if err := u.decider.Know(sum); err != nil {
				return err
			}
		}
		return nil
	})
}

// isSaved refuses a file that does not begin as hashes do, unless it can be read once.
func (u *uniq) isSaved(name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || u.e.KeepGoing {
		return nil // what reads it will tell
	}
	var s line.Signature
	first, ok := lines.First(u.e, name)
	if !ok || s.Parse(first) == nil && schemes.Method(string(s.Scheme)) == "exact" {
		return nil
	}
	return wording.WithHint(fmt.Errorf("%s: no hashes of records", name), "--against takes what --save wrote, or recsign -m exact; of old data they are made by: doppel exact --save SUMS FILE > /dev/null")
}

type sums []digest.Sum

// A summer reads the sums of signatures of a scheme.
type summer string

// Take adds the sum of a signature. Another scheme is the guard's to refuse.
func (scheme summer) Take(all *sums, s line.Signature) error {
	if string(s.Body) == schemes.Empty || string(s.Scheme) != string(scheme) {
		return nil
	}
	sum, err := digest.Parse(s.Body)
	*all = append(*all, sum)
	return err
}

// A hashBatch is the hashes of a batch, and where bytes are compared, the keys.
type hashBatch struct {
	sums []exact.Sum
	ok   []bool // false: an empty text has no hash, and no copies
	keys [][]byte
}

// read decides all records.
func (u *uniq) read(names []string) error {
	rd, err := record.NewReader(u.e.Input(names), u.e.Records)
	if err != nil {
		return err
	}
	if u.sink, err = u.e.Sink(rd, ""); err != nil {
		return err
	}
	u.keep = u.sink.Gather
	newWork := func() func(*record.Batch) hashBatch {
		signer, _ := u.hashing.NewSigner() // its scheme was asked for already
		return func(b *record.Batch) hashBatch { return hashAll(signer, b, u.opt.Verify) }
	}
	return tool.Batches(u.e, rd, newWork, func(b *record.Batch, h hashBatch) error {
		err := u.batch(b, h)
		if ferr := u.sink.Flush(); err == nil {
			err = ferr
		}
		return err
	})
}

func (u *uniq) batch(b *record.Batch, h hashBatch) error {
	for i := range b.Records {
		if b.Records[i].Err != nil {
			continue
		}
		if err := u.record(&b.Records[i], h.sums[i], h.ok[i], h.key(i)); err != nil {
			return err
		}
	}
	return nil
}

func hashAll(s *exact.Signer, b *record.Batch, keys bool) hashBatch {
	h := hashBatch{sums: make([]exact.Sum, len(b.Records)), ok: make([]bool, len(b.Records))}
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err == nil {
			h.sums[i], h.ok[i] = s.Sum(rec.Text, rec.Ends)
		}
		if keys {
			h.keys = append(h.keys, append([]byte(nil), s.Key(rec.Text, rec.Ends)...))
		}
	}
	return h
}

func (h *hashBatch) key(i int) []byte {
	if h.keys == nil {
		return nil
	}
	return h.keys[i]
}

// record decides one record.
func (u *uniq) record(rec *record.Record, sum exact.Sum, hashable bool, key []byte) error {
	u.records++
	v := hashset.First
	if hashable {
		var err error
		if v, err = u.decider.Decide(sum, rec.Ordinal, key); err != nil {
			return err
		}
	}
	if v == hashset.Later || u.opt.Count && v == hashset.First || u.backlog != nil && u.wanted(v) {
		return u.wait(rec, sum, v, hashable)
	}
	return u.decided(rec, sum, v, hashable)
}

// wanted reports whether a record with this verdict is written.
func (u *uniq) wanted(v hashset.Verdict) bool {
	return (v == hashset.First) != u.opt.Duplicates
}

// decided writes a record if it is wanted, and its hash if it is new.
func (u *uniq) decided(rec *record.Record, sum exact.Sum, v hashset.Verdict, hashable bool) error {
	if u.save != nil && v == hashset.First && hashable {
		if u.ids != nil {
			if err := u.ids.Note(rec); err != nil { // two hashes of one id could not be told apart
				return u.e.Skip(err)
			}
		}
		s := line.Signature{ID: rec.ID, Scheme: []byte(u.scheme), Body: sum.AppendHex(nil)}
		if _, err := u.save.Write(s.Append(u.save.AvailableBuffer(), line.Format{})); err != nil {
			return err
		}
	}
	if !u.wanted(v) {
		return nil
	}
	u.kept++
	return u.keep(rec)
}
