package blockhash

import (
	"math/big"
	"strconv"

	"doppel/pkg/blockhash"
)

// A number is a format of hashes: hexadecimal digits, an unsigned decimal number, or the signed
// decimal number whose two's complement has the bits of the hash.
type number struct {
	decimal string // unsigned, signed, or ""
	bits    int    // 64 or 128
}

func (n number) append(dst []byte, s blockhash.Sum) []byte {
	switch {
	case n.decimal == "":
		return s.AppendHex(dst)[:len(dst)+n.bits/4]
	case n.bits == 64 && n.decimal == "signed":
		return strconv.AppendInt(dst, int64(s.Hi), 10)
	case n.bits == 64:
		return strconv.AppendUint(dst, s.Hi, 10)
	}
	v := new(big.Int).SetUint64(s.Hi)
	if n.decimal == "signed" {
		v.SetInt64(int64(s.Hi))
	}
	return v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(s.Lo)).Append(dst, 10)
}
