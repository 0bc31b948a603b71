package tool

import "sync"

// heldBytes is how much may be between the reader and the writer before a further
// batch is read. Batches of a quarter of a megabyte do not reach it; of long records
// it keeps as many from being held as there are threads and places to wait.
const heldBytes = 64 << 20

// A gauge counts the bytes of the batches that were read and are not done with.
type gauge struct {
	mu    sync.Mutex
	less  sync.Cond
	bytes int64
	most  int64
}

func newGauge(most int64) *gauge {
	u := &gauge{most: most}
	u.less.L = &u.mu
	return u
}

// wait returns when no more than most are under way.
func (u *gauge) wait() {
	u.mu.Lock()
	for u.bytes > u.most {
		u.less.Wait()
	}
	u.mu.Unlock()
}

// add counts the bytes of a batch, or takes them away.
func (u *gauge) add(n int64) {
	u.mu.Lock()
	u.bytes += n
	u.mu.Unlock()
	u.less.Signal()
}
