package minhash_test

import (
	"fmt"

	"doppel/pkg/minhash"
	"doppel/pkg/text"
)

// The fraction of slots that are equal in two sketches estimates the similarity of the sets of
// shingles.
func Example() {
	shingler, sketcher := text.NewShingler(text.Default), minhash.New(128, 1)
	a, b := minhash.Sketch{Slots: make([]uint32, 128)}, minhash.Sketch{Slots: make([]uint32, 128)}
	sketcher.Sketch(&a, shingler.Append(nil, []byte("one two three four five six seven eight nine ten")))
	sketcher.Sketch(&b, shingler.Append(nil, []byte("one two three four five six seven eight nine eleven")))
	equal := 0
	for i := range a.Slots {
		if a.Slots[i] == b.Slots[i] {
			equal++
		}
	}
	// 7 of the 9 different shingles are in both texts.
	fmt.Println(equal > 128*6/10, equal < 128*95/100)
	// Output: true true
}
