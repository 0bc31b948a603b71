package hashset

import (
	"encoding/binary"

	"doppel/pkg/spill"
)

// Keys stores keys in a log, for comparison with later keys that have the same hash. An entry
// consists of the ordinal and the length of a key, eight bytes each, and the key itself.
type Keys struct {
	log    spill.Log
	window *spill.Window
}

const (
	keyHeader = 16
	keyWindow = 1 << 12 // number of bytes to read at a time; most entries are shorter
)

// NewKeys returns an empty store of keys.
func NewKeys() *Keys {
	k := new(Keys)
	k.window = k.log.Window(keyWindow)
	return k
}

func (k *Keys) addKey(ordinal int64, key []byte) error {
	var header [keyHeader]byte
	binary.LittleEndian.PutUint64(header[:], uint64(ordinal))
	binary.LittleEndian.PutUint64(header[8:], uint64(len(key)))
	k.log.Write(header[:])
	_, err := k.log.Write(key)
	return err
}

// readHeader returns the ordinal and the length of the key at an offset.
func (k *Keys) readHeader(at int64) (ordinal, n int64, err error) {
	b, err := k.window.Bytes(at, keyHeader)
	if err != nil {
		return 0, 0, err
	}
	return int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:])), nil
}

// readKey returns the key at an offset. The key is valid until the next call.
func (k *Keys) readKey(at int64) ([]byte, error) {
	_, n, err := k.readHeader(at)
	if err != nil {
		return nil, err
	}
	return k.window.Bytes(at+keyHeader, n)
}
