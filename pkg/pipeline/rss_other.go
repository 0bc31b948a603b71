//go:build !linux

package pipeline

const rssUnit = 1
