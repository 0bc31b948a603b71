package text

// lookBoth is plainLook.
//
//go:noescape
func lookBoth(in *[mixedBytes]byte, two, three mask, t *table) (found mask)

// boundsTo is plainBounds; both may write three more.
//
//go:noescape
func boundsTo(beginTo, endTo *int32, begins, ends mask, at int32)

func look(in *[mixedBytes]byte, two, three mask, t *table) mask {
	if !fast {
		return plainLook(in, two, three, t)
	}
	return lookBoth(in, two, three, t)
}

func writeBounds(beginTo, endTo []int32, begins, ends mask, at int32) {
	if !fast {
		plainBounds(beginTo, endTo, begins, ends, at)
		return
	}
	boundsTo(&beginTo[0], &endTo[0], begins, ends, at)
}
