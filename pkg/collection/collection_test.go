package collection

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/digest"
)

// A modelRecord is a record of a model.
type modelRecord struct {
	id, text string // the text is the signature if the scheme has signatures
	buckets  []uint64
	sum      digest.Sum
}

// A model is what a collection holds, in memory.
type model struct {
	scheme  Scheme
	records []modelRecord
}

// draw returns a random record. Its buckets are few, so that records share them; some are shared by
// very many.
func (m *model) draw(r *rand.Rand) modelRecord {
	x := modelRecord{id: fmt.Sprintf("id%d", r.IntN(400)), text: strings.Repeat(fmt.Sprint(r.Uint64()), r.IntN(8)*r.IntN(8))}
	if r.IntN(300) == 0 {
		x.text = strings.Repeat("long", frameBytes/2)
	}
	if m.scheme.Rest {
		x.text, x.sum = "", digest.Sum{Hi: r.Uint64() >> (r.IntN(2) * 60), Lo: r.Uint64N(4)}
		return x
	}
	for range r.IntN(5) {
		b := r.Uint64() >> (64 - m.scheme.BucketBits) >> (r.IntN(3) * (m.scheme.BucketBits / 2))
		if r.IntN(4) == 0 {
			b = 7
		}
		if !slices.Contains(x.buckets, b) {
			x.buckets = append(x.buckets, b)
		}
	}
	if n := m.scheme.SignatureBytes; n > 0 {
		x.text = strings.Repeat(fmt.Sprint(r.Uint64()), n)[:n]
	}
	return x
}

// keys returns the keys of records, sorted.
func (m *model) keys(records []modelRecord) (keys []Key) {
	for i, x := range records {
		for _, b := range x.buckets {
			keys = append(keys, Key{Bucket: b, Record: uint32(i)})
		}
		if m.scheme.Rest {
			keys = append(keys, Key{Bucket: x.sum.Hi, Rest: x.sum.Lo, Record: uint32(i)})
		}
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Rest, b.Rest), cmp.Compare(a.Record, b.Record))
	})
	return keys
}

// join returns what Join should find, as texts, because the numbers of records depend on merges.
func (m *model) join(keys []Key, hot int) (pairs []string) {
	for _, k := range keys {
		var with []modelRecord
		for _, x := range m.records {
			if slices.Contains(x.buckets, k.Bucket) || m.scheme.Rest && x.sum == (digest.Sum{Hi: k.Bucket, Lo: k.Rest}) {
				with = append(with, x)
			}
		}
		if hot > 0 && len(with) > hot {
			with = append(with[:hot/2:hot/2], with[len(with)-(hot-hot/2):]...)
		}
		for _, x := range with {
			pairs = append(pairs, fmt.Sprint(k.Record, " ", x.id, " ", digest.Hash{}.Sum([]byte(x.text)).Hi))
		}
	}
	return pairs
}

func sequence(keys []Key) iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		for _, k := range keys {
			if !yield(k, nil) {
				return
			}
		}
	}
}

// bodyOf returns the text or the signature of a record.
func bodyOf(r *Reader, old int64) ([]byte, error) {
	if r.c.Scheme().SignatureBytes > 0 {
		return r.Signature(old)
	}
	return r.Text(nil, old)
}

// joined returns what Join finds, in the form of model.join.
func joined(t *testing.T, c *Collection, keys []Key, hot int) []string {
	t.Helper()
	pairs, err := pairsOf(c, func(match func(uint32, int64) error) error { return c.Join(sequence(keys), hot, match) })
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// pairsOf returns what a join with a collection finds.
func pairsOf(c *Collection, join func(match func(uint32, int64) error) error) (pairs []string, err error) {
	r := c.NewReader()
	err = join(func(record uint32, old int64) error {
		id, err := r.ID(nil, old)
		if err != nil {
			return err
		}
		text, err := bodyOf(r, old)
		pairs = append(pairs, fmt.Sprint(record, " ", string(id), " ", digest.Hash{}.Sum(text).Hi))
		return err
	})
	return pairs, err
}

// compare checks that a collection holds what the model holds.
func (m *model) compare(t *testing.T, dir string, r *rand.Rand) {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n := 0
	err = c.Each(func(id, text []byte) error {
		if n >= len(m.records) || m.records[n].id != string(id) || m.records[n].text != string(text) && m.scheme.SignatureBytes == 0 {
			return fmt.Errorf("record %d is another", n)
		}
		n++
		return nil
	})
	if err != nil || n != len(m.records) {
		t.Fatalf("%d of %d records: %v", n, len(m.records), err)
	}
	var others []modelRecord
	for range 20 {
		others = append(others, m.draw(r))
		if len(m.records) > 0 {
			others = append(others, m.records[r.IntN(len(m.records))])
		}
	}
	keys := m.keys(others)
	for _, hot := range []int{0, 7} {
		if got, want := joined(t, c, keys, hot), m.join(keys, hot); !slices.Equal(got, want) {
			t.Fatalf("hot %d: %d pairs, want %d", hot, len(got), len(want))
		}
	}
	if err := Check(dir, func(fault error) { t.Error(fault) }); err != nil {
		t.Error(err)
	}
}

var testSchemes = map[string]Scheme{
	"fuzzy": {Tool: "fuzzy", Signature: "s", Threshold: 0.8, Bands: 16, Rows: 8, BucketBits: 40},
	"wide":  {Tool: "fuzzy", Signature: "s", BucketBits: 64},
	"small": {Tool: "fuzzy", Signature: "s", BucketBits: 5},
	"exact": {Tool: "exact", Signature: "s", BucketBits: 64, Rest: true},

	"estimate": {Tool: "fuzzy", Signature: "s", BucketBits: 40, SignatureBytes: 264},
	"huge":     {Tool: "fuzzy", Signature: "s", BucketBits: 40, SignatureBytes: 5000},
}

// newTestWriter opens a writer that does not sync files.
func newTestWriter(t *testing.T, dir string, s Scheme) *Writer {
	t.Helper()
	w, err := NewWriter(dir, s, WriteOptions{NoSync: true, Jobs: 3, Note: t.Errorf})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (m *model) add(w *Writer, x modelRecord) error {
	m.records = append(m.records, x)
	if m.scheme.Rest {
		return w.AddSum([]byte(x.id), x.sum)
	}
	return w.Add([]byte(x.id), []byte(x.text), x.buckets)
}

// addTo adds n random records to a collection and to the model.
func (m *model) addTo(t *testing.T, dir string, r *rand.Rand, n int) {
	t.Helper()
	w := newTestWriter(t, dir, m.scheme)
	for range n {
		if err := m.add(w, m.draw(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
}

// remove removes records by id from a collection and from the model.
func (m *model) remove(t *testing.T, dir string, r *rand.Rand) {
	t.Helper()
	gone := map[string]bool{}
	for range r.IntN(40) {
		gone[fmt.Sprintf("id%d", r.IntN(400))] = true
	}
	kept := slices.DeleteFunc(slices.Clone(m.records), func(x modelRecord) bool { return gone[x.id] })
	w := newTestWriter(t, dir, m.scheme)
	n, err := w.Remove(func(id, _ []byte) bool { return gone[string(id)] })
	if err = errors.Join(err, w.Commit(), w.Close()); err != nil || int(n) != len(m.records)-len(kept) {
		t.Fatalf("%d removed, want %d: %v", n, len(m.records)-len(kept), err)
	}
	m.records = kept
}

func mergeAll(t *testing.T, dir string, s Scheme) {
	t.Helper()
	w := newTestWriter(t, dir, s)
	_, err := w.Merge()
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if n := len(c.Segments()); n > 1 || n == 1 && c.Segments()[0].Removed > 0 {
		t.Errorf("%d segments after a merge: %+v", n, c.Segments())
	}
}

// TestModel compares collections with a model in memory, after random additions, removals and
// merges.
func TestModel(t *testing.T) {
	for name, scheme := range testSchemes {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			for range 2 {
				m, dir := &model{scheme: scheme}, filepath.Join(t.TempDir(), "seen")
				m.addTo(t, dir, r, 0)
				for range 8 {
					switch r.IntN(6) {
					case 0:
						m.remove(t, dir, r)
					case 1:
						mergeAll(t, dir, scheme)
					case 2:
						m.addBatch(t, dir, r, r.IntN(6)*r.IntN(150))
					default:
						m.addTo(t, dir, r, r.IntN(6)*r.IntN(150))
					}
					m.compare(t, dir, r)
				}
			}
		})
	}
}

// TestPage checks that a page returns the keys that it was made from, for several distributions.
func TestPage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		l := layout{record: uint(r.IntN(33)), rest: uint(r.IntN(2) * 64)}
		shift, same := r.IntN(64), 1+r.IntN(20)
		var keys []Key
		for range 1 + r.IntN(mostKeys) {
			k := Key{Bucket: r.Uint64() >> shift, Record: r.Uint32() & uint32(1<<l.record-1)}
			if l.rest > 0 {
				k.Rest = r.Uint64()
			}
			for range 1 + r.IntN(same) {
				keys = append(keys, k)
			}
		}
		slices.SortStableFunc(keys, func(a, b Key) int { return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Record, b.Record)) })
		n := 1
		for n < len(keys) && l.fits(keys[n].Bucket-keys[0].Bucket, n+1) {
			n++
		}
		keys = keys[:n]
		data := make([]byte, pageSize+slack)
		l.encodePage(data, keys)
		s := salt(7)
		s.seal(data, 5)
		if s.unseal(data, 5) != nil || s.unseal(data, 6) == nil || salt(8).unseal(data, 5) == nil {
			t.Fatal("the checksum does not tell the page and its number")
		}
		var p page
		if err := p.open(l, data); err != nil {
			t.Fatal(err)
		}
		if got := p.appendKeys(nil); !slices.Equal(got, keys) {
			t.Fatalf("layout %v: %d keys, want %d", l, len(got), len(keys))
		}
		for range 200 {
			b := keys[r.IntN(n)].Bucket + r.Uint64N(3) - 1
			from, _ := slices.BinarySearchFunc(keys, b, func(k Key, b uint64) int { return cmp.Compare(k.Bucket, b) })
			to := from
			for to < n && keys[to].Bucket == b {
				to++
			}
			gotFrom, gotTo := p.find(b)
			if gotTo-gotFrom != to-from || to > from && gotFrom != from {
				t.Fatalf("bucket %x is at %d to %d, want %d to %d", b, gotFrom, gotTo, from, to)
			}
		}
	}
}

// findKey returns the records that a joiner finds for a bucket.
func findKey(j *joiner, bucket uint64) ([]int64, error) {
	j.keys = []Key{{Bucket: bucket}}
	_, err := j.search()
	j.take(0)
	return j.found, err
}

// TestHotBucket checks that Join limits the old records of a bucket that fills many pages and
// several segments, without reading all pages.
func TestHotBucket(t *testing.T) {
	dir := t.TempDir()
	const n = 60_000
	for range 3 {
		w := newTestWriter(t, dir, testSchemes["fuzzy"])
		for i := range n {
			if err := w.Add(nil, nil, []uint64{5, 100 + uint64(i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Commit(), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, hot := range []int{2, 5, 5000} {
		j, want := newJoiner(c, hot), []int64{}
		for i := range hot / 2 {
			want = append(want, int64(i))
		}
		for i := range hot - hot/2 {
			want = append(want, int64(c.Records())-int64(hot-hot/2)+int64(i))
		}
		if found, err := findKey(j, 5); err != nil || !slices.Equal(found, want) {
			t.Errorf("hot %d: %d found, want %d: %v", hot, len(found), len(want), err)
		}
		for _, s := range j.segments {
			if hot == 2 && s.pages.pageRead > 10 {
				t.Errorf("%d of %d pages were read", s.pages.pageRead, s.Keys.Pages)
			}
		}
	}
}

func TestOpenNone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := Open(name); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, open := range map[string]func() error{
		"Open":      func() error { _, err := Open(dir); return err },
		"NewWriter": func() error { _, err := NewWriter(dir, testSchemes["fuzzy"], WriteOptions{}); return err },
	} {
		if err := open(); err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "not a collection") {
			t.Errorf("a directory of other files: %v", err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("none", link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{link, link + "/"} {
		if _, err := NewWriter(name, testSchemes["fuzzy"], WriteOptions{}); err == nil || !strings.Contains(err.Error(), "link to none") {
			t.Errorf("%s, a link to a directory that is not there: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 || err != nil {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestClose checks that a writer that is closed without Commit leaves nothing.
func TestClose(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "seen")
	w := newTestWriter(t, dir, testSchemes["fuzzy"])
	if err := errors.Join(w.Add([]byte("id"), []byte("text"), []uint64{1}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error(err)
	}
	m := &model{scheme: testSchemes["fuzzy"]}
	r := rand.New(rand.NewPCG(1, 1))
	m.addTo(t, dir, r, 10)
	before := files(t, dir)
	w = newTestWriter(t, dir, m.scheme)
	if err := errors.Join(w.Add([]byte("id"), []byte("text"), []uint64{1}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if after := files(t, dir); !mapsEqual(before, after) {
		t.Error("the files of the collection differ")
	}
	m.compare(t, dir, r)
}

// files returns the contents of the files in a directory.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, e := range entries {
		if all[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func mapsEqual(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for name, x := range a {
		if y, ok := b[name]; !ok || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// TestMergeHot merges segments that share a bucket of many pages.
func TestMergeHot(t *testing.T) {
	dir := t.TempDir()
	s := Scheme{Tool: "fuzzy", BucketBits: 64}
	const n = 20_000
	for i := range 3 {
		w := newTestWriter(t, dir, s)
		for j := range n {
			buckets := []uint64{[]uint64{0, 5, 1<<64 - 1}[j%3], 6 + uint64(i)}
			if err := w.Add(nil, nil, buckets); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Commit(), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	mergeAll(t, dir, s)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	j := newJoiner(c, 0)
	for _, b := range []uint64{0, 5, 6, 7, 8, 1<<64 - 1} {
		var want []int64
		for i := range int64(3 * n) {
			if 6+uint64(i/n) == b || []uint64{0, 5, 1<<64 - 1}[i%n%3] == b {
				want = append(want, i)
			}
		}
		if found, err := findKey(j, b); err != nil || !slices.Equal(found, want) {
			t.Errorf("bucket %x: %d records, want %d: %v", b, len(found), len(want), err)
		}
	}
}
