// Peak runs a command and appends a line to a file: the command's status, wall seconds,
// processor seconds, and the peak memory, in KiB, of all its processes together.
// /usr/bin/time -v reports only the memory of the largest process, which is too little for a
// pipeline or a pool of workers. Memory shared by several processes is counted once (Pss of
// smaps_rollup, read ten times per second), and the result is never below the figure of time -v.
//
//	peak FILE COMMAND [ARGUMENT...]
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: peak FILE COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	status, err := run(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(2)
	}
	os.Exit(status)
}

func run(report string, args []string) (status int, err error) {
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	start := time.Now()
	if err := c.Start(); err != nil {
		return 0, err
	}
	done := make(chan struct{})
	most := make(chan int64)
	go func() { most <- watch(c.Process.Pid, done) }()
	c.Wait() // the error is not needed: ProcessState has the status
	wall := time.Since(start)
	close(done)
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	f, err := os.OpenFile(report, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(f, "%d\t%.2f\t%.2f\t%d\n", c.ProcessState.ExitCode(), wall.Seconds(), cpu.Seconds(), max(<-most, usage.Maxrss))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return c.ProcessState.ExitCode(), err
}

// watch samples the memory of the process group until done is closed, and returns the maximum
// in KiB. If a signal asks this program to end, watch passes the signal on to the group.
func watch(group int, done <-chan struct{}) (most int64) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	for {
		select {
		case <-done:
			return most
		case s := <-told:
			syscall.Kill(-group, s.(syscall.Signal))
		case <-tick.C:
			most = max(most, held(group))
		}
	}
}

// held returns the memory of a process group in KiB. It ignores processes whose memory it cannot
// read, because they have just ended.
func held(group int) (sum int64) {
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		stat, _ := os.ReadFile(name)
		// The fields are pid (name) state parent group …; the name may contain any bytes and
		// ends at the last ")".
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(f) < 3 || string(f[2]) != strconv.Itoa(group) {
			continue
		}
		rollup, _ := os.ReadFile(filepath.Dir(name) + "/smaps_rollup")
		if _, pss, ok := bytes.Cut(rollup, []byte("\nPss:")); ok {
			n, _ := strconv.ParseInt(string(bytes.Fields(pss)[0]), 10, 64)
			sum += n
		}
	}
	return sum
}
