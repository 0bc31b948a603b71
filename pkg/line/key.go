package line

import (
	"bytes"

	"doppel/pkg/line/cell"
)

// A Key is one key of a record, with the id of the record. Records with the same bucket become
// candidate pairs.
type Key struct {
	Text []byte // bucket.digest.value, bucket.digest, or the bucket alone
	ID   []byte
}

// Bucket returns the part of the key before the first dot.
func (k *Key) Bucket() []byte {
	bucket, _, _ := bytes.Cut(k.Text, []byte{'.'})
	return bucket
}

// Digest returns the part of the key after the first dot: the digest of the whole text, followed by
// the value if the key has one. Records for which Digest returns the same non-nil value have equal
// texts. The result is nil if the key has no digest.
func (k *Key) Digest() []byte {
	_, digest, _ := bytes.Cut(k.Text, []byte{'.'})
	return digest
}

// Value returns the part of the key after the second dot, or nil. Two records whose keys have the
// same value, other than nil, are not compared.
func (k *Key) Value() []byte {
	_, value, _ := bytes.Cut(k.Digest(), []byte{'.'})
	return value
}

// The method columns also accepts the column names of blockhash, whose lines can be read as keys of
// files.
func (k *Key) columns(c *codec) *codec {
	c.bytes(c.either("key", "hash"), &k.Text)
	if c.mode == readColumns { // the id is the last column
		c.text = c.text[bytes.LastIndexByte(c.text, '\t')+1:]
	}
	c.bytes(c.either("id", "name"), &k.ID)
	return c
}

func (k Key) Append(dst []byte, f Format) []byte { return k.columns(writer(dst, f)).w.End() }

// Parse parses a line. The first column is the key, and the last column is the id. Parse ignores
// the columns between them.
func (k *Key) Parse(line []byte) error { return end(k.columns(reader(line)), (*Key).columns) }

// ParseRaw parses a line that ended in NUL, so that its columns are not escaped. The id is
// everything after the key and an optional number, such as the size that blockhash writes. ParseRaw
// parses objects as Parse does.
func (k *Key) ParseRaw(line []byte) error {
	if isObject(line) {
		return k.Parse(line)
	}
	key, id, found := bytes.Cut(line, []byte{'\t'})
	if !found {
		return k.Parse(line)
	}
	if number, rest, found := bytes.Cut(id, []byte{'\t'}); found && cell.IsOrdinal(number) {
		id = rest
	}
	k.Text, k.ID = key, id
	return nil
}

// A Common is the line for a bucket with so many records that not all of their pairs are formed.
type Common struct {
	Key     []byte // the bucket alone
	Records int64
	Example []byte // id of one of the records
}

func (k *Common) columns(c *codec) *codec {
	c.bytes("key", &k.Key)
	c.int("records", &k.Records)
	c.bytes("example", &k.Example)
	return c
}

func (k Common) Append(dst []byte, f Format) []byte { return k.columns(writer(dst, f)).w.End() }
func (k *Common) Parse(line []byte) error           { return end(k.columns(reader(line)), (*Common).columns) }
