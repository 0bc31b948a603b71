package audit

import (
	"cmp"
	"slices"

	"doppel/pkg/collection"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A hashClaim is a decision to drop a record in favour of an old record whose hash alone is known.
type hashClaim struct {
	ordinal, line int64
	old           *named
	score         float64
	same          bool
}

// checkHashes checks that a record that was dropped in favour of an old record has its hash, and the
// score 1.
func (a *run) checkHashes() error {
	x := a.collected
	if x == nil || !x.space.hashed || x.space.bare {
		return nil
	}
	var claims []hashClaim
	err := a.eachDecision(func(d *line.Decision, number int64) error {
		if d.Verdict != line.Drop || d.Kept == nil {
			return nil
		}
		r, ok := a.ledger.resolve(d.ID)
		k, also := a.ledger.resolve(d.Kept)
		if !ok || !also || k.space != x.space || r.ordinal >= r.records {
			return nil
		}
		score, _ := d.Score.Float()
		if claims = append(claims, hashClaim{ordinal: r.ordinal, line: number, old: &x.olds[k.ordinal], score: score}); len(claims) < max(1, int(a.Mem)/256) {
			return nil
		}
		err := a.compareHashes(claims)
		claims = claims[:0]
		return err
	})
	return cmp.Or(err, a.compareHashes(claims))
}

// compareHashes reads the records of claims and looks up their hashes in the collection.
func (a *run) compareHashes(claims []hashClaim) error {
	if len(claims) == 0 {
		return nil
	}
	slices.SortFunc(claims, func(a, b hashClaim) int { return cmp.Compare(a.ordinal, b.ordinal) })
	var keys []collection.Key
	err := a.eachSum(func(ordinal int64) bool { _, ok := claimOn(claims, ordinal); return ok }, func(rec *record.Record, sum exacthash.Sum) error {
		at, _ := claimOn(claims, rec.Ordinal)
		keys = append(keys, collection.Key{Bucket: sum.Hi, Rest: sum.Lo, Record: uint32(at)})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(keys, func(a, b collection.Key) int {
		return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Rest, b.Rest), cmp.Compare(a.Record, b.Record))
	})
	sorted := func(yield func(collection.Key, error) bool) {
		for _, k := range keys {
			if !yield(k, nil) {
				return
			}
		}
	}
	err = a.collected.Join(sorted, 0, func(at uint32, old int64) error {
		c := &claims[at]
		c.same = c.same || old == c.old.number
		return nil
	})
	for _, c := range claims {
		a.counted++
		switch {
		case err != nil:
			return err
		case !c.same:
			err = a.decisionFault(c.line, c.ordinal, "does not have the hash of %s of %s", c.old.id, a.collected.dir)
		case c.score != 1:
			err = a.decisionFault(c.line, c.ordinal, "is scored %.4f, and is equal to %s of %s", c.score, c.old.id, a.collected.dir)
		}
	}
	return err
}

func claimOn(claims []hashClaim, ordinal int64) (at int, ok bool) {
	return slices.BinarySearchFunc(claims, ordinal, func(c hashClaim, n int64) int { return cmp.Compare(c.ordinal, n) })
}

// eachSum calls fn with each wanted record of the inputs that has a hash.
func (a *run) eachSum(wanted func(int64) bool, fn func(*record.Record, exacthash.Sum) error) error {
	how, err := a.normalization()
	if err != nil {
		return err
	}
	hashing := exacthash.Options{Whole: len(a.opt.Fields) == 0 && !a.opt.Lines, Valued: a.opt.Within != "", Normalize: how}
	opt := a.opt
	opt.Skip = func(ordinal int64) bool { return !wanted(ordinal) }
	rd, err := record.NewReader(a.e.Input(a.inputs), opt)
	if err != nil {
		return err
	}
	signer, err := hashing.NewSigner()
	if err != nil {
		return err
	}
	none := func() func(*record.Batch) struct{} { return func(*record.Batch) (_ struct{}) { return } }
	return tool.Batches(a.e, rd, none, func(b *record.Batch, _ struct{}) error {
		for i := range b.Records {
			rec := &b.Records[i]
			if rec.Err != nil || b.Skipped(rec) {
				continue
			}
			sum, ok := signer.Sum(rec.Text, rec.Ends)
			if !ok {
				continue
			}
			if hashing.Valued {
				sum = signer.Valued(sum, rec.Value)
			}
			if err := fn(rec, sum); err != nil {
				return err
			}
		}
		return nil
	})
}
