package splitmix

import "testing"

// The generator adds a constant to its state and mixes it; the outputs for the seed
// 1234567 are those of the reference in C by Vigna.
func TestMix(t *testing.T) {
	state := uint64(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		state += 0x9e3779b97f4a7c15
		if got := Mix(state); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}
