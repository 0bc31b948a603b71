// Package version identifies the build of a program.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Version and Commit identify a release and are set by the linker (-X). If they are empty, Go's
// build information is used instead.
var Version, Commit string

// devel is the version that Go records for a build outside a release.
const devel = "(devel)"

// Named is like Built, but returns "(devel)" instead of "".
func Named() string { return cmp.Or(Built(), devel) }

// Built returns the version of the release. If the program is not a release, Built returns the
// module version that the build recorded, or "".
func Built() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != devel {
		return info.Main.Version
	}
	return ""
}

// From returns the commit, if known, the Go version and the platform, for bug reports.
func From() string {
	commit := Commit
	if info, ok := debug.ReadBuildInfo(); ok && commit == "" {
		for _, setting := range info.Settings {
			switch {
			case setting.Key == "vcs.revision":
				commit = setting.Value[:min(12, len(setting.Value))]
			case setting.Key == "vcs.modified" && setting.Value == "true":
				commit += "+changes"
			}
		}
	}
	built := runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
	if commit == "" {
		return built
	}
	return "commit " + commit + ", " + built
}
