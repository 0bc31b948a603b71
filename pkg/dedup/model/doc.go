// Package model supports tests that compare the commands with a model: a plain computation that
// knows only the man pages. It makes small random datasets with planted families of similar
// records, runs a command in this process, and reduces a failing case to a small one.
//
// The model of doppel fuzzy is in the tests of this package. Other packages make their cases with
// [Shape.Rows] or with rows of their own.
package model
