//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

// inside is set for the copy of this program that has mounts of its own.
const inside = "DOPPEL_FAULT_MOUNTS"

// ownMounts starts this program again in a mount namespace, where it may mount
// and nothing stays mounted when it ends. It returns done in the outer one.
func ownMounts() (done bool, status int, err error) {
	if os.Getenv(inside) != "" {
		return false, 0, syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	}
	if os.Getuid() != 0 {
		return false, 0, errors.New("not root")
	}
	runtime.LockOSThread() // the parent whose death the copy is told of is a thread
	c := exec.Command(itself, os.Args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = append(os.Environ(), inside+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	if err := c.Start(); err != nil {
		return false, 0, err
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, ends...)
	go func() {
		for s := range told {
			c.Process.Signal(s)
		}
	}()
	c.Wait() // the status tells
	return true, c.ProcessState.ExitCode(), nil
}

// canMount tries it. Outside of a namespace of its own nothing is mounted.
func canMount(dir string) bool {
	place := filepath.Join(dir, "mount")
	if os.Getenv(inside) == "" || os.Mkdir(place, 0o777) != nil {
		return false
	}
	defer os.Remove(place)
	return syscall.Mount("none", place, "tmpfs", 0, "size=64k") == nil && syscall.Unmount(place, 0) == nil
}
