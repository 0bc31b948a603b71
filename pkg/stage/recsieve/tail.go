package recsieve

import (
	"cmp"
	"io"

	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/sieve"
	"doppel/pkg/spill"
)

// When the table of leaders is full, the records that follow in the input are still compared with
// its leaders, and similar ones are dropped. The others are the tail: their texts and raw records
// are stored, and their keys are queued. After the end of the input, the queue is read like the
// input, with an empty table. Records that this pass leaves undecided are the next tail, and so on
// until no record is left. The decisions are the same as with a single large table, because all
// leaders of a table precede the records that wait for the next table.
//
// A record similar to a leader may be more similar to a leader of a later table. Therefore, if
// decisions are written, such records are queued as well after the table is full, and a later
// leader replaces the first one only if its score is higher.
//
// Each pass reads the keys of all waiting records, 8 bytes per band, and the texts of the records
// that share a key with a leader. If there are many passes, less would have to be read with an
// index on disk such as lsh.Index, but the candidate pairs and the sets of their records would then
// have to be stored and sorted.

// A tail is a queue of undecided records. In the queue, a record takes itemWords words, plus one
// word per band for its keys.
type tail struct {
	queue   spill.Spool[uint64]
	records int64
	words   []uint64
}

// An item is a record in the queue.
type item struct {
	at      int64    // position in the store
	verdict verdict  // verdict so far; 0 for none
	keys    []uint64 // one key per band, or none for an empty text
}

// itemWords is the number of 64-bit words that an item takes in the queue, not counting its keys.
const itemWords = 3

// enqueue adds a record to the tail. Every record takes the same number of words, even if it has no
// keys.
func (r *run) enqueue(x item) error {
	if r.tail == nil {
		r.tail = new(tail)
	}
	t := r.tail
	if r.seen != nil {
		if err := r.seen.addKeys(t.records, x.keys); err != nil {
			return err
		}
	}
	t.records++
	t.words = append(t.words[:0], uint64(x.at), uint64(x.verdict), uint64(len(x.keys)))
	t.words = append(t.words, x.keys...)
	t.words = append(t.words, make([]uint64, r.how.Bands.B-len(x.keys))...)
	return t.queue.Add(t.words...)
}

// chunkRecords is the number of records of a tail that a worker compares at a time.
const chunkRecords = 256

// A chunk holds consecutive records of a tail.
type chunk struct {
	batch
	items []item
	words []uint64
}

// readTail decides on the records of the tail. The records that it leaves undecided are the next
// tail, which it reads in the same way, until no record is left.
func (r *run) readTail() error {
	for r.tail != nil {
		t := r.tail
		if r.e.Watching() && r.seen.isDone() {
			r.e.Note("%d records are set aside for another pass, because the memory that --mem allows is full", t.records)
		}
		pairs, compared := r.sieve.Counts()
		r.pairs, r.compared = r.pairs+pairs, r.compared+compared
		r.sieve, r.tail, r.closed, r.store.leaders = sieve.New(r.how), nil, false, nil
		read, stride, found := t.queue.Reader(), itemWords+r.how.Bands.B, r.seen.takeVerdicts()
		next := func() (*chunk, error) {
			c := &chunk{words: make([]uint64, chunkRecords*stride)}
			n, err := read(c.words)
			c.words = c.words[:n]
			return c, cmp.Or(err, found.apply(c.words, stride))
		}
		newWork := func() func(*chunk) *chunk {
			w, entries := r.sieve.NewWorker(), r.store.reader(0)
			return func(c *chunk) *chunk {
				for words := c.words; len(words) > 0 && c.err == nil; words = words[stride:] {
					x := item{at: int64(words[0]), verdict: verdict(words[1]), keys: words[itemWords:][:words[2]]}
					if x.verdict != 0 && r.drops == nil {
						x.keys = nil // the record is dropped, whatever is kept before it
					}
					one := sieve.Record{Keys: x.keys, Floor: x.verdict.score(), Text: textAt(entries, x.at)}
					c.err = w.Look(&one, false)
					c.items, c.records = append(c.items, x), append(c.records, one)
				}
				return c
			}
		}
		entries := r.store.reader(1 << 16)
		err := par.Ordered(r.e.Jobs, next, newWork, func(c *chunk) error {
			if c.err != nil {
				return c.err
			}
			for i := range c.items {
				if err := r.decideTail(&c.items[i], &c.records[i], entries); err != nil {
					return err
				}
			}
			return nil
		})
		if cerr := t.queue.Close(); err == nil && cerr != io.EOF {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// textAt returns a function that reads the text of the record at a position in the store.
func textAt(entries *entryReader, at int64) func() ([]byte, error) {
	return func() ([]byte, error) {
		var x entry
		err := entries.read(&x, at)
		return x.text, err
	}
}

// decideTail decides on a record of the tail, or adds the record to the next tail.
func (r *run) decideTail(x *item, one *sieve.Record, entries *entryReader) error {
	one.Text = textAt(entries, x.at)
	if err := r.sieve.Decide(one); err != nil {
		return err
	}
	if one.Score >= 0 {
		x.verdict = newVerdict(r.store.leader(one.Leader), one.Score)
	}
	switch drop := x.verdict != 0; {
	case drop && r.drops == nil:
		r.dropped++
		return nil
	case drop && !r.closed:
		r.dropped++
		return r.drops.add(x.at, x.verdict)
	case drop || r.closed || !r.sieve.HasRoom(one):
		r.closed = r.closed || !drop
		return r.enqueue(*x)
	}
	if len(x.keys) > 0 && !r.opt.Only {
		r.addLeader(x.at, nil, one)
	}
	r.kept++
	var kept entry
	if err := entries.read(&kept, x.at); err != nil {
		return err
	}
	if err := r.seen.keep(kept.id, kept.text, x.keys); err != nil {
		return err
	}
	return r.sink.Keep(&record.Record{Ordinal: kept.ordinal, ID: kept.id, Raw: kept.raw})
}
