package recsieve

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"

	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/spill"
)

// A store holds records in input order: the leaders, whose texts are compared with other records;
// the records that decisions name; and the records that wait for a decision. For a record of an
// uncompressed file of lines, the store holds only the record's position in that file. It writes
// other records to scratch files, uncompressed because compression with s2 took longer than
// writing. One goroutine may add records while others read.
//
// add only decides where a record is stored. flush stores the records that were added.
type store struct {
	mu       sync.RWMutex
	jobs     int
	log      spill.Log
	leaders  []int64          // positions of the leaders in the log
	added    []addition       // records that are not yet stored
	fresh    []*record.Record // the latest leaders: those not yet stored
	buffers  par.Spares[[]byte]
	opt      record.Options
	openings *record.Openings
	files    []*os.File              // input files kept open
	numbers  map[*record.File]uint32 // index in files plus 1; 0 for a file not kept open
	readers  par.Spares[entryReader]

	signatureBytes int // size of the signature of a record; 0 if the run needs none
}

// mostFiles is the maximum number of input files that a store keeps open.
const mostFiles = 200

func newStore(opt record.Options, openings *record.Openings, jobs int) (*store, error) {
	if _, err := record.NewDecoder(opt); err != nil {
		return nil, err
	}
	return &store{
		jobs: jobs, log: spill.Log{Files: min(jobs, mostLogs)}, buffers: par.NewSpares[[]byte](jobs),
		opt: opt, openings: openings, numbers: map[*record.File]uint32{}, readers: par.NewSpares[entryReader](jobs),
	}, nil
}

// mostLogs is the maximum number of scratch files.
const mostLogs = 8

// An entry is a stored record.
type entry struct {
	ordinal       int64
	id, text, raw []byte
	signature     []byte // only after readSigned
}

// headerSize is the size of the header of an entry: the ordinal, the length of the id, a file
// number and two more numbers. If the file number is not 0, these two numbers are the offset and
// the length of the raw record in that file. Otherwise they are the lengths of the text and of the
// raw record, which follow the id.
const headerSize = 8 + 4 + 4 + 8 + 8

// sameAsText is stored instead of the length of the raw record, if the raw record is identical to
// the text. Such a raw record is not stored.
const sameAsText = -1

// A part is a set of flags that say what is stored of a record in addition to its id.
type part int

const (
	withText part = 1 << iota
	withRaw
)

// An addition is a record to be stored at a position in the log. The other numbers are those in the
// header: the file, and either the place in it or the lengths of the text and of the raw record.
type addition struct {
	at        int64
	rec       *record.Record
	signature []byte // stored before the record; nil for none
	number    uint32
	x, y      int64
}

// begin returns the position of the first byte in the log.
func (a *addition) begin() int64 { return a.at - int64(len(a.signature)) }

// add adds a record of a batch, with the given parts and perhaps its signature, and returns the
// record's position in the log. The record and the signature must not change until flush.
func (s *store) add(b *record.Batch, rec *record.Record, parts part, signature []byte) (at int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, size := addition{rec: rec, signature: signature}, int64(headerSize+len(rec.ID))
	if parts != 0 {
		a.number, a.x = s.placeOf(b, rec)
		a.y = int64(len(rec.Raw))
	}
	if a.number == 0 {
		a.x, a.y = 0, 0
		if parts&withText != 0 {
			a.x = int64(len(rec.Text))
		}
		if parts&withRaw != 0 {
			a.y = int64(len(rec.Raw))
		}
		size += a.x + a.y
		if a.x > 0 && a.x == a.y && &rec.Raw[0] == &rec.Text[0] {
			size, a.y = size-a.y, sameAsText
		}
	}
	at, err = s.log.Extend(int64(len(signature)) + size)
	a.at = at + int64(len(signature))
	s.added = append(s.added, a)
	return a.at, err
}

// parts returns the parts of the stored record: its signature, its header, appended to dst, its
// id, its text and its raw record.
func (a *addition) parts(dst []byte) [5][]byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(a.rec.Ordinal))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(a.rec.ID)))
	dst = binary.LittleEndian.AppendUint32(dst, a.number)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(a.x))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(a.y))
	if a.number > 0 {
		return [...][]byte{a.signature, dst, a.rec.ID, nil, nil}
	}
	return [...][]byte{a.signature, dst, a.rec.ID, a.rec.Text[:a.x], a.rec.Raw[:max(0, a.y)]}
}

// writeSize is the size of the pieces in which flush writes, in bytes. The last record of a piece can
// exceed it.
const writeSize = 256 << 10

// flush stores the records that were added, in several goroutines.
func (s *store) flush() error {
	var pieces [][]addition
	for rest := s.added; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].at < rest[0].at+writeSize {
			n++
		}
		pieces, rest = append(pieces, rest[:n]), rest[n:]
	}
	errs := make([]error, len(pieces))
	par.Each(s.jobs, len(pieces), func(i int) { errs[i] = s.writePiece(pieces[i]) })
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.fresh)
	s.added, s.fresh = s.added[:0], s.fresh[:0]
	return cmp.Or(errs...)
}

// writePiece writes adjacent records. It writes a long record without copying it.
func (s *store) writePiece(piece []addition) error {
	buf := s.buffers.Get()
	defer s.buffers.Put(buf)
	*buf = (*buf)[:0]
	at, header := piece[0].begin(), make([]byte, 0, headerSize)
	for i := range piece {
		for _, p := range piece[i].parts(header) {
			if len(*buf)+len(p) <= writeSize {
				*buf = append(*buf, p...)
				continue
			}
			for _, b := range [...][]byte{*buf, p} {
				if _, err := s.log.WriteAt(b, at); err != nil {
					return err
				}
				at += int64(len(b))
			}
			*buf = (*buf)[:0]
		}
	}
	_, err := s.log.WriteAt(*buf, at)
	return err
}

// placeOf returns the number of the file that contains a record, and the record's offset in it. The
// number is 0 if the file is not kept open, or was replaced after it was opened for reading.
func (s *store) placeOf(b *record.Batch, rec *record.Record) (number uint32, at int64) {
	f, at := b.Place(rec)
	if f == nil {
		return 0, 0
	}
	number, known := s.numbers[f]
	if known || len(s.files) == mostFiles {
		return number, at
	}
	if file, err := f.Open(); err == nil {
		s.openings.Reread(f)
		s.files = append(s.files, file)
		number = uint32(len(s.files))
	}
	s.numbers[f] = number
	return number, at
}

// addLeader adds the record at a position in the log to the leaders. If the record is not yet stored,
// rec is the record.
func (s *store) addLeader(at int64, rec *record.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaders = append(s.leaders, at)
	if rec != nil {
		s.fresh = append(s.fresh, rec)
	}
}

// freshLeader returns a leader that is not yet stored, or nil.
func (s *store) freshLeader(number uint32) *record.Record {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if i := int(number) - len(s.leaders) + len(s.fresh); i >= 0 {
		return s.fresh[i]
	}
	return nil
}

// leader returns the position of a leader in the log. Leaders are numbered from 0.
func (s *store) leader(number uint32) int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.leaders[number]
}

// text appends the text of a leader to dst.
func (s *store) text(dst []byte, number uint32) ([]byte, error) {
	if rec := s.freshLeader(number); rec != nil {
		return append(dst, rec.Text...), nil
	}
	r := s.readers.Get()
	if r.store == nil {
		*r = *s.reader(0)
	}
	defer s.readers.Put(r)
	var x entry
	err := r.read(&x, s.leader(number))
	return append(dst, x.text...), err
}

// close closes the scratch files and the input files.
func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Close() // an error no longer matters, because the log is not read again
	for _, f := range s.files {
		f.Close()
	}
}

// An entryReader reads entries. It is not safe for concurrent use.
type entryReader struct {
	store   *store
	window  *spill.Window
	inputs  inputWindow
	decoder *record.Decoder
	placed  bool   // the entry that was read last is in an input file
	signed  []byte // the signature that readSigned read last
}

// reader returns a reader that reads the log, and input files from which adjacent records are read,
// in blocks of size bytes, or more for longer entries.
func (s *store) reader(size int64) *entryReader {
	d, _ := record.NewDecoder(s.opt) // newStore has checked the options
	return &entryReader{store: s, window: s.log.Window(size), inputs: inputWindow{size: int(size)}, decoder: d}
}

// signature appends the signature of the record at a position in the log, which was stored with
// one, to dst.
func (r *entryReader) signature(dst []byte, at int64) ([]byte, error) {
	r.store.mu.RLock()
	defer r.store.mu.RUnlock()
	n := int64(r.store.signatureBytes)
	signature, err := r.window.Bytes(at-n, n)
	return append(dst, signature...), err
}

// read reads the entry at a position in the log into x, which is valid until the next call.
func (r *entryReader) read(x *entry, at int64) error {
	err := r.readRaw(x, at)
	if err == nil && r.placed {
		if x.text, err = r.decoder.Text(x.raw); err != nil {
			err = r.inputs.changed(err)
		}
	}
	return err
}

// readSigned is like readRaw, for a record that was stored with a signature, which it also reads.
func (r *entryReader) readSigned(x *entry, at int64) (err error) {
	if r.signed, err = r.signature(r.signed[:0], at); err == nil {
		err = r.readRaw(x, at)
	}
	x.signature = r.signed
	return err
}

// readRaw is like read, except that x may be without a text.
func (r *entryReader) readRaw(x *entry, at int64) error {
	r.store.mu.RLock()
	defer r.store.mu.RUnlock()
	header, err := r.window.Bytes(at, headerSize)
	if err != nil {
		return err
	}
	x.ordinal = int64(binary.LittleEndian.Uint64(header))
	id, number := int64(binary.LittleEndian.Uint32(header[8:])), binary.LittleEndian.Uint32(header[12:])
	n, m := int64(binary.LittleEndian.Uint64(header[16:])), int64(binary.LittleEndian.Uint64(header[24:]))
	if r.placed = number > 0; r.placed {
		if x.id, err = r.window.Bytes(at+headerSize, id); err == nil {
			x.text = nil
			x.raw, err = r.inputs.bytes(r.store.files[number-1], n, int(m))
		}
		return err
	}
	body, err := r.window.Bytes(at+headerSize, id+n+max(0, m))
	if err != nil {
		return err
	}
	x.id, x.text, x.raw = body[:id:id], body[id:id+n:id+n], body[id+n:]
	if m == sameAsText {
		x.raw = x.text
	}
	return nil
}

// An inputWindow reads parts of input files. While the parts are near one another, it reads more and
// more bytes ahead, up to size.
type inputWindow struct {
	size  int
	ahead int
	file  *os.File
	at    int64
	buf   []byte
}

// bytes returns n bytes of a file, which are valid until the next call.
func (w *inputWindow) bytes(f *os.File, at int64, n int) ([]byte, error) {
	if end := w.at + int64(len(w.buf)); f != w.file || at < w.at || at+int64(n) > end {
		if w.ahead = min(w.size, 2*w.ahead+n); f != w.file || at < w.at || at > end+int64(w.ahead) {
			w.ahead = 0
		}
		size := max(n, w.ahead)
		w.file, w.at, w.buf = f, at, slices.Grow(w.buf[:0], size)[:size]
		got, err := f.ReadAt(w.buf, at)
		if w.buf = w.buf[:got]; got < n {
			return nil, w.changed(err)
		}
	}
	return w.buf[at-w.at:][:n:n], nil
}

// changed returns an error for the file from which bytes were read last.
func (w *inputWindow) changed(err error) error {
	return fmt.Errorf("%s: changed while it was read: %w", w.file.Name(), err)
}
