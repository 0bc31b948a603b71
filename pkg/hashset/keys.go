package hashset

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"

	"doppel/pkg/scratch"
)

// Keys holds the keys of first copies in an unnamed scratch file, so that they
// can be compared with later ones. Each is its ordinal and its length, eight
// bytes each, and its bytes.
type Keys struct {
	file    *os.File
	pending []byte // what is not in the file yet
	end     int64  // of the file and what is pending
	got     []byte // what was read last
}

const keyHeader = 16

// NewKeys returns an empty store of keys.
func NewKeys() (*Keys, error) {
	f, err := scratch.Create()
	if err != nil {
		return nil, err
	}
	return &Keys{file: f}, nil
}

// Close gives up the scratch file.
func (k *Keys) Close() error { return k.file.Close() }

func (k *Keys) add(ordinal int64, key []byte) error {
	k.pending = binary.LittleEndian.AppendUint64(k.pending, uint64(ordinal))
	k.pending = binary.LittleEndian.AppendUint64(k.pending, uint64(len(key)))
	k.pending = append(k.pending, key...)
	k.end += keyHeader + int64(len(key))
	if len(k.pending) < 1<<18 {
		return nil
	}
	_, err := k.file.WriteAt(k.pending, k.end-int64(len(k.pending)))
	k.pending = k.pending[:0]
	return err
}

// bytes returns n bytes at an offset, until the next call.
func (k *Keys) bytes(at int64, n int) ([]byte, error) {
	if in := at - (k.end - int64(len(k.pending))); in >= 0 {
		return k.pending[in : in+int64(n)], nil
	}
	if cap(k.got) < n {
		k.got = make([]byte, n, 2*n)
	}
	k.got = k.got[:n]
	_, err := k.file.ReadAt(k.got, at)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return k.got, err
}

func (k *Keys) ordinal(at int64) (int64, error) {
	b, err := k.bytes(at, keyHeader)
	if err != nil {
		return 0, err
	}
	return int64(binary.LittleEndian.Uint64(b)), nil
}

// read returns the key at an offset, in memory that is the caller's.
func (k *Keys) read(at int64) ([]byte, error) {
	b, err := k.bytes(at, keyHeader)
	if err != nil {
		return nil, err
	}
	b, err = k.bytes(at+keyHeader, int(binary.LittleEndian.Uint64(b[8:])))
	return bytes.Clone(b), err
}

// equal reports whether the key at an offset is this one.
func (k *Keys) equal(at int64, key []byte) (bool, error) {
	b, err := k.bytes(at, keyHeader)
	if err != nil || binary.LittleEndian.Uint64(b[8:]) != uint64(len(key)) {
		return false, err
	}
	b, err = k.bytes(at+keyHeader, len(key))
	return bytes.Equal(b, key), err
}
