package blockhash

import (
	"math/big"
	"testing"

	"doppel/pkg/blockhash"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		n    number
		sum  blockhash.Sum
		want string
	}{
		{number{"", 64}, blockhash.Sum{Hi: 255, Lo: 7}, "00000000000000ff"},
		{number{"", 128}, blockhash.Sum{Hi: 255, Lo: 7}, "00000000000000ff0000000000000007"},
		{number{"unsigned", 64}, blockhash.Sum{Hi: 1<<64 - 1}, "18446744073709551615"},
		{number{"signed", 64}, blockhash.Sum{Hi: 1<<64 - 1}, "-1"},
		{number{"signed", 64}, blockhash.Sum{Hi: 1<<63 - 1}, "9223372036854775807"},
		{number{"unsigned", 128}, blockhash.Sum{Hi: 1<<64 - 1, Lo: 1<<64 - 1}, "340282366920938463463374607431768211455"},
		{number{"signed", 128}, blockhash.Sum{Hi: 1<<64 - 1, Lo: 1<<64 - 1}, "-1"},
		{number{"signed", 128}, blockhash.Sum{Hi: 1 << 63}, "-170141183460469231731687303715884105728"},
		{number{"signed", 128}, blockhash.Sum{Lo: 1 << 63}, "9223372036854775808"},
	} {
		if got := string(c.n.append([]byte("> "), c.sum)); got != "> "+c.want {
			t.Errorf("%+v %+v: %s, want %s", c.n, c.sum, got, c.want)
		}
	}
}

// A hash has the same bits in each format: hexadecimal, unsigned decimal and signed decimal.
func FuzzNumber(f *testing.F) {
	f.Add(uint64(0), uint64(0))
	f.Add(uint64(1<<63), uint64(1))
	f.Fuzz(func(t *testing.T, hi, lo uint64) {
		sum := blockhash.Sum{Hi: hi, Lo: lo}
		hex := string(number{"", 128}.append(nil, sum))
		for _, sign := range []string{"unsigned", "signed"} {
			v, ok := new(big.Int).SetString(string(number{sign, 128}.append(nil, sum)), 10)
			if v.Sign() < 0 {
				v.Add(v, new(big.Int).Lsh(big.NewInt(1), 128))
			}
			if want, _ := new(big.Int).SetString(hex, 16); !ok || v.Cmp(want) != 0 {
				t.Errorf("%s is %s %d", hex, sign, v)
			}
		}
	})
}
