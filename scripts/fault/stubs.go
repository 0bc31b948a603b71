package main

func knownTrials() []trial   { return nil }
func memoryTrials() []trial  { return nil }
func inputTrials() []trial   { return nil }
func raceTrials() []trial    { return nil }
func sameTrials() []trial    { return nil }
func operandTrials() []trial { return nil }
func hostileTrials() []trial { return nil }
