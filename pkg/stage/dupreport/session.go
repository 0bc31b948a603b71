package dupreport

import (
	"doppel/pkg/report"
	"doppel/pkg/tool"
)

// A session is a run: what it knows of its inputs so far.
type session struct {
	e       *tool.Env
	opt     *Options
	fates   fates
	scoring scoreTally
	bands   []report.Band
	keys    []key
	texts   texts
	places  []*places

	totals               report.Totals
	groups, near, sample []sideBySide
	reasons              []reason
}

// How much a page shows.
const (
	mostGroups   = 50
	mostNear     = 50
	mostSample   = 20
	mostExamples = 3 // of a reason
	mostReasons  = 60
	mostKeys     = 50
	mostIDs      = 500 // bytes of both in a command
	mostPlaces   = 50  // rows of a table
	mostValues   = 1e5 // of a field, that are counted apart
)

func newSession(e *tool.Env, o *Options) *session {
	r := &session{e: e, opt: o, texts: newTexts()}
	r.fates.init(o.Seed)
	r.fates.ordinal = o.Ordinals || o.Records.ID == "" && !o.Records.WithFilename
	r.places = []*places{newPlaces("file")}
	for _, by := range o.By {
		r.places = append(r.places, newPlaces(by))
	}
	return r
}
