package dupspan

import (
	"errors"
	"iter"
)

// pulled turns what hands out values into what is asked for them. Stop ends it
// early.
func pulled[T any](each func(func(T) error) error) (next func() (T, bool, error), stop func()) {
	pull, stop := iter.Pull2(func(yield func(T, error) bool) {
		err := each(func(v T) error {
			if !yield(v, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && err != errStopped {
			var none T
			yield(none, err)
		}
	})
	return func() (T, bool, error) {
		v, err, ok := pull()
		return v, ok && err == nil, err
	}, stop
}

var errStopped = errors.New("stopped")
