package text

//go:noescape
func twoByteClasses(in *[mixedBytes]byte, m mask, table *[twoBytes]class) (found mask)

//go:noescape
func threeByteClasses(in *[mixedBytes]byte, m mask, table *class) (found mask)

//go:noescape
func everySecond(edges *int32, m mask, at int32)

func lookTwo(in *[mixedBytes]byte, m mask, t *table) mask {
	if !fast {
		return plainLookTwo(in, m, t)
	}
	return twoByteClasses(in, m, &t.two)
}

func lookThree(in *[mixedBytes]byte, m mask, t *table) mask {
	if !fast {
		return plainLookThree(in, m, t)
	}
	return threeByteClasses(in, m, &t.rest[0])
}

func every2(edges []int32, m mask, n int, at int32) {
	if !fast {
		plainEvery2(edges, m, n, at)
		return
	}
	everySecond(&edges[0], m, at)
}
