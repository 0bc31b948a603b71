package main

import (
	"reflect"
	"testing"

	"github.com/google/pprof/profile"
)

// sample returns a sample of half a second in a goroutine that began with these calls.
func sample(step, stage string, calls ...string) *profile.Sample {
	s := &profile.Sample{Value: []int64{50, 5e8}}
	if step != "" {
		s.Label = map[string][]string{"step": {step}, "stage": {stage}}
	}
	for i := len(calls) - 1; i >= 0; i-- {
		s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: calls[i]}}}})
	}
	return s
}

// TestSteps checks which goroutines count as working alone, and the seconds that follow.
func TestSteps(t *testing.T) {
	worker := sample("a|b", "b", "sync.(*WaitGroup).Go.func1", "doppel/pkg/par.begin[go.shape.*doppel/pkg/x.T,go.shape.[]uint8].func1", "doppel/pkg/tool.Batches[...].func2")
	reader := sample("a|b", "b", "sync.(*WaitGroup).Go.func1", "doppel/pkg/par.begin[go.shape.int].func2", "doppel/pkg/tool.(*stream[go.shape.int]).read", "runtime.memmove")
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}},
		Sample: []*profile.Sample{
			worker, worker, worker, reader,
			sample("a|b", "b", "doppel/pkg/plan.(*Builder).step.func1", "doppel/pkg/plan.runStage"),
			sample("a|b", "b", "doppel/pkg/plan.(*Builder).step.func1", "doppel/pkg/plan.runStage"),
			sample("c", "c", "github.com/klauspost/compress/zstd.(*Decoder).startStreamDecoder.func1"),
			sample("", "", "runtime.gcBgMarkWorker"),
			sample("c", "c", "runtime.goexit"),
			sample("c", "c", "doppel/pkg/record/write.(*parts).encodePiece.func2"),
			sample("c", "c", "doppel/pkg/par.Settled[go.shape.int].func2", "doppel/pkg/x.settle"),
			sample("c", "c", "doppel/pkg/plan.(*Builder).step.func1", "doppel/pkg/par.Each", "doppel/pkg/par.Each.func1"),
		},
	}
	got := readSteps(p)
	want := []step{
		{"a|b", map[string]float64{"b: emit": 1, "b: read by tool.(*stream).read": .5}, 3},
		{"c", map[string]float64{"c: zstd.(*Decoder).startStreamDecoder.func1": .5, "c: settle": .5}, 2.5},
		{"", map[string]float64{}, .5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	for cores, seconds := range map[int]float64{1: 6, 2: 1.5 + .25 + 1.25, 8: 1 + .0625 + .5} {
		if got := forecast(want, cores); got != seconds {
			t.Errorf("%d cores: %v seconds, want %v", cores, got, seconds)
		}
	}
}
