package main

func knownTrials() []trial   { return nil }
func memoryTrials() []trial  { return nil }
func hostileTrials() []trial { return nil }
