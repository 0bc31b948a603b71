//go:build !linux

package durable

import "os"

// createNameless returns nil, because only Linux supports files without names.
func createNameless(string, string) *os.File { return nil }

func link(*os.File, string) error { return os.ErrInvalid }

func writeOut(*os.File) {}

func reserve(*os.File, int64, int64) bool { return false }
