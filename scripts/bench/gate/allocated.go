package main

import (
	"io"
	"runtime"

	"doppel/pkg/jaccard"
	"doppel/pkg/minhash"
	"doppel/pkg/record"
	"doppel/pkg/text"
)

// countAllocated returns the number of bytes that are allocated while all records are read,
// decoded, shingled and signed for the second time, when all buffers have grown. Only opening the
// file should allocate memory; processing a record should not.
func countAllocated(data string) (float64, error) {
	s := signer{shingler: text.NewShingler(text.Default), sketcher: minhash.New(128, 1), codec: minhash.Codec{K: 128, B: 16}}
	s.sketch.Slots = make([]uint32, s.codec.K)
	if err := s.run(data); err != nil {
		return 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := s.run(data)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc), err
}

type signer struct {
	batch     record.Batch
	shingler  *text.Shingler
	sketcher  *minhash.Sketcher
	sketch    minhash.Sketch
	codec     minhash.Codec
	set, work []uint64
	line      []byte
}

func (s *signer) run(data string) error {
	rd, err := record.NewReader(record.Input{Names: []string{data}}, record.Options{Fields: []string{"text"}})
	if err != nil {
		return err
	}
	for {
		if err := rd.Next(&s.batch); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		s.batch.Decode()
		for i := range s.batch.Records {
			s.set = s.shingler.Append(s.set[:0], s.batch.Records[i].Text)
			s.sketcher.Sketch(&s.sketch, s.set)
			s.line = s.codec.Append(s.line[:0], &s.sketch)
			_, s.work = jaccard.Set(s.set, s.work)
		}
	}
}
