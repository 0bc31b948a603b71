package recsieve

import (
	"cmp"
	"io"
	"slices"
	"sync/atomic"

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
// that share a key with a leader. Workers read the records that are probably kept, in blocks. If there are many passes, less would have to be read with an
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
	number  int64    // number in the first tail
	keys    []uint64 // one key per band, or none for a record that can be similar to no later one
}

// An item takes these 64-bit words in the queue, and one per band for its keys.
const (
	atWord = iota
	verdictWord
	numberWord
	keysWord // number of keys
	itemWords
)

// enqueue adds a record to the tail. Every record takes the same number of words, even if it has no
// keys.
func (r *run) enqueue(x item) error {
	if r.tail == nil {
		r.tail = new(tail)
	}
	t := r.tail
	if r.seen.waits() && !r.seen.done {
		x.number = t.records
		if err := r.seen.addKeys(x.number, x.keys); err != nil {
			return err
		}
	}
	t.records++
	t.words = append(t.words[:0], uint64(x.at), uint64(x.verdict), uint64(x.number), uint64(len(x.keys)))
	t.words = append(t.words, x.keys...)
	t.words = append(t.words, make([]uint64, r.how.Bands.B-len(x.keys))...)
	return t.queue.Add(t.words...)
}

// chunkRecords is the number of records of a tail that a worker compares at a time.
const chunkRecords = 256

// aheadBytes is the maximum number of bytes of records that a worker reads ahead for a chunk.
const aheadBytes = 256 << 10

// A chunk holds consecutive records of a tail.
type chunk struct {
	items   []item
	words   []uint64
	records []sieve.Record
	ahead   []aheadEntry // the first records, read ahead
	data    []byte       // their contents
	single  entry        // the last record that was not read ahead
	err     error
}

// An aheadEntry is a record that was read ahead, unless it seemed to be dropped.
type aheadEntry struct {
	entry
	ok bool
}

// readAhead reads the records of a chunk that are similar to no leader so far.
func (c *chunk) readAhead(read func(*entry, int64) error) error {
	for i := range c.items {
		var x aheadEntry
		if x.ok = c.items[i].verdict == 0 && c.records[i].Score < 0; x.ok {
			if err := read(&x.entry, c.items[i].at); err != nil {
				return err
			}
			if len(x.id)+len(x.text)+len(x.raw)+len(x.signature) > cap(c.data)-len(c.data) {
				return nil
			}
			x.id, x.text, x.raw, x.signature = c.copy(x.id), c.copy(x.text), c.copy(x.raw), c.copy(x.signature)
		}
		c.ahead = append(c.ahead, x)
	}
	return nil
}

// copy returns a copy of b in c.data, which has room for it.
func (c *chunk) copy(b []byte) []byte {
	n := len(c.data)
	c.data = append(c.data, b...)
	return c.data[n:len(c.data):len(c.data)]
}

// entry returns the i-th record of the chunk, which is valid until the next call.
func (c *chunk) entry(i int, read func(*entry, int64) error) (*entry, error) {
	if i < len(c.ahead) && c.ahead[i].ok {
		return &c.ahead[i].entry, nil
	}
	return &c.single, read(&c.single, c.items[i].at)
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
		queue, stride, found := t.queue.Reader(), itemWords+r.how.Bands.B, r.seen.takeVerdicts()
		chunks := par.NewSpares[chunk](r.e.Jobs)
		next := func() (*chunk, error) {
			c := chunks.Get()
			c.words = slices.Grow(c.words[:0], chunkRecords*stride)[:chunkRecords*stride]
			n, err := queue(c.words)
			c.words = c.words[:n]
			return c, cmp.Or(err, found.apply(c.words, stride))
		}
		var full atomic.Bool // the records that follow are in the next tail, so they need not be read
		newWork := func() func(*chunk) *chunk {
			w, entries, ahead := r.sieve.NewWorker(), r.store.reader(0), r.reader(aheadWindow)
			return func(c *chunk) *chunk {
				if c.err = r.lookAll(c, w, entries, stride); c.err == nil && !full.Load() {
					c.err = c.readAhead(ahead)
				}
				return c
			}
		}
		texts, read := r.store.reader(0), r.reader(0)
		err := par.Ordered(r.e.Jobs, next, newWork, func(c *chunk) error {
			defer chunks.Put(c)
			if c.err != nil {
				return c.err
			}
			for i := range c.items {
				if len(c.items[i].keys) > 0 {
					c.records[i].Text = textAt(texts, c.items[i].at) // the worker uses its reader for another chunk
				}
				if err := r.decideTail(c, i, read); err != nil {
					return err
				}
			}
			full.Store(r.closed)
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

// aheadWindow is the number of bytes that a worker reads at a time.
const aheadWindow = 32 << 10

// reader returns a function that reads records of the store, with their texts or signatures if
// these are added to a collection.
func (r *run) reader(window int64) func(*entry, int64) error {
	entries := r.store.reader(window)
	switch adds := r.seen != nil && r.seen.writer != nil; {
	case adds && r.store.signatureBytes > 0:
		return entries.readSigned
	case adds:
		return entries.read
	default:
		return entries.readRaw
	}
}

// lookAll compares the records of a chunk with the leaders found so far.
func (r *run) lookAll(c *chunk, w *sieve.Worker, entries *entryReader, stride int) error {
	c.items, c.records, c.ahead = c.items[:0], c.records[:0], c.ahead[:0]
	c.data = slices.Grow(c.data[:0], aheadBytes)
	for words := c.words; len(words) > 0; words = words[stride:] {
		x := item{at: int64(words[atWord]), verdict: verdict(words[verdictWord]), number: int64(words[numberWord]), keys: words[itemWords:][:words[keysWord]]}
		if x.verdict != 0 && r.drops == nil {
			x.keys = nil // the record is dropped, whatever is kept before it
		}
		one := sieve.Record{Keys: x.keys, Floor: x.verdict.score(), Score: -1}
		if len(x.keys) > 0 {
			one.Text = textAt(entries, x.at)
			if err := w.Look(&one, false); err != nil {
				return err
			}
		}
		c.items, c.records = append(c.items, x), append(c.records, one)
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

// decideTail decides on the i-th record of a chunk of the tail, or adds the record to the next tail.
func (r *run) decideTail(c *chunk, i int, read func(*entry, int64) error) error {
	x, one := &c.items[i], &c.records[i]
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
	kept, err := c.entry(i, read)
	if err != nil {
		return err
	}
	if err := r.seen.keep(x.number, kept.id, kept.text, kept.signature, x.keys); err != nil {
		return err
	}
	r.out = record.Record{Ordinal: kept.ordinal, ID: kept.id, Raw: kept.raw}
	return r.sink.Keep(&r.out)
}
