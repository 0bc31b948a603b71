#!/bin/sh
# Installs doppel from a release, or removes it completely.
#
#     install.sh [--prefix DIR] [--all] [--signers FILE | --unsigned] [ADDRESS]
#     install.sh --uninstall [--prefix DIR]
#
# ADDRESS is the place of the release's files: a URL or a directory. The signature of
# SHA256SUMS and then the checksum of the archive are checked before anything is installed.
#
#   --prefix DIR    default: ~/.local
#   --all           put links with the names of all tools into bin, not only doppel
#   --signers FILE  trust these keys (allowed_signers of ssh-keygen), not the one below
#   --unsigned      check only the checksum
#
# The installed files are listed in share/doc/doppel/installed; another run replaces them.
set -eu

address=@DOWNLOAD@
signer='@SIGNER@'
prefix=${HOME:-}/.local all='' signers='' unsigned='' uninstall=''

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--prefix | --signers)
		[ $# -gt 1 ] || fail "$1: needs a value"
		case $1 in --prefix) prefix=$2 ;; *) signers=$2 ;; esac
		shift
		;;
	--all) all=1 ;;
	--unsigned) unsigned=1 ;;
	--uninstall) uninstall=1 ;;
	-h | --help)
		sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p;}' "$0"
		exit
		;;
	-*) fail "$1: no such option; --help lists them" ;;
	*) address=$1 ;;
	esac
	shift
done
case $prefix in
/?*) ;;
*) fail "--prefix $prefix: not an absolute path" ;;
esac
[ -z "$unsigned" ] || [ -z "$signers" ] || fail "--unsigned cannot be used with --signers"
list=share/doc/doppel/installed

# remove_listed LIST removes the files in a list, and then the directories that were created for
# them, the innermost first. Directories that contain other files are kept.
remove_listed() {
	sed -n 's/^f //p' "$1" | while IFS= read -r name; do rm -f "$prefix/$name"; done
	rm -f "$prefix/$list"
	sed -n 's/^d //p' "$1" | sort -r | while IFS= read -r name; do
		said=$(rmdir "$prefix/$name" 2>&1) || [ ! -d "$prefix/$name" ] || echo "install.sh: $prefix/$name: not empty, left as it is" >&2
	done
}

work=$(mktemp -d)
stage=
trap 'rm -rf "$work" ${stage:+"$stage"}' EXIT
trap 'exit 1' HUP INT TERM

if [ -n "$uninstall" ]; then
	[ -f "$prefix/$list" ] || fail "$prefix/$list: not there: nothing was installed below $prefix"
	if ! [ -w "$prefix/share/doc/doppel" ] || ! [ -w "$prefix/bin" ]; then fail "$prefix: no permission to write"; fi
	cp "$prefix/$list" "$work/list"
	remove_listed "$work/list"
	exit
fi

# fetch NAME copies a file of the release into the work directory.
fetch() {
	case $address in
	*://*)
		[ -n "$(command -v curl)" ] || fail "curl is missing; fetch the release yourself and name its directory"
		curl -fsSL --retry 2 -o "$work/$1" "$address/$1" || fail "$address/$1: cannot be fetched"
		;;
	*) cp "$address/$1" "$work/$1" || fail "$address/$1: cannot be read" ;;
	esac
}

# check_signature verifies the signature of SHA256SUMS.
check_signature() {
	if [ -z "$signers" ]; then
		[ "$signer" != none ] || fail "this release has no key: name one by --signers, or check the sum only by --unsigned"
		signers=$work/allowed_signers
		echo "doppel $signer" >"$signers"
	fi
	[ -n "$(command -v ssh-keygen)" ] || fail "ssh-keygen is missing, so the signature cannot be checked; --unsigned checks the sum only"
	fetch SHA256SUMS.sig
	ssh-keygen -Y verify -f "$signers" -I doppel -n doppel-release -s "$work/SHA256SUMS.sig" <"$work/SHA256SUMS" >"$work/said" 2>&1 ||
		fail "SHA256SUMS: the signature is not by a trusted key: $(tail -n 1 "$work/said")"
}

case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "$(uname -s): there is no build for this system" ;;
esac
case $(uname -m) in
x86_64 | amd64) system=$system-amd64 ;;
aarch64 | arm64) system=$system-arm64 ;;
*) fail "$(uname -m): there is no build for this processor" ;;
esac
if [ -n "$(command -v sha256sum)" ]; then sum=sha256sum; else sum='shasum -a 256'; fi

fetch SHA256SUMS
[ -n "$unsigned" ] || check_signature
archive=$(sed -n "s/^[0-9a-f]\{64\}  \(doppel-[^/ ]*-$system\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS")
[ "$(echo "$archive" | wc -w)" -eq 1 ] || fail "$address/SHA256SUMS: names $(echo "$archive" | wc -w) archives for $system, want one"
fetch "$archive"
(cd "$work" && grep "  $archive\$" SHA256SUMS | $sum -c >said 2>&1) || fail "$address/$archive: not what SHA256SUMS says: damaged or changed"

# The created directories are listed, so that uninstall can remove them. Directories that exist
# because of an earlier release are in that release's list.
: >"$work/made"
make_directory() {
	[ ! -d "$prefix/$1" ] || return 0
	case $1 in */*) make_directory "${1%/*}" ;; esac
	mkdir "$prefix/$1"
	echo "d $1" >>"$work/made"
}
[ -d "$prefix" ] || echo 'd ' >"$work/made"
said=$(mkdir -p "$prefix" 2>&1) || fail "$prefix: no permission to make it: $said"
[ -w "$prefix" ] || fail "$prefix: no permission to write"
stage=$(mktemp -d "$prefix/.doppel.XXXXXX")
tar -xzf "$work/$archive" -C "$stage"
tree=$stage/${archive%.tar.gz}
if [ -n "$all" ]; then
	for tool in "$tree"/libexec/doppel/bin/*; do ln -s doppel "$tree/bin/${tool##*/}"; done
fi
(cd "$tree" && find bin libexec share \( -type f -o -type l \) | sort) >"$work/files"
: >"$work/old"
[ ! -f "$prefix/$list" ] || cp "$prefix/$list" "$work/old"
while IFS= read -r name; do
	if [ -e "$prefix/$name" ] || [ -L "$prefix/$name" ]; then
		grep -qxF "f $name" "$work/old" || fail "$prefix/$name: is there, and not of an earlier install.sh; nothing was installed"
	fi
done <"$work/files"

# The list is written before the files, so that it is complete even if this run is interrupted.
while IFS= read -r name; do make_directory "${name%/*}"; done <"$work/files"
{
	sed 's/^/f /' "$work/files"
	cat "$work/old" "$work/made"
} | sort -u >"$stage/list"
cp "$stage/list" "$prefix/$list"
while IFS= read -r name; do mv -f "$tree/$name" "$prefix/$name"; done <"$work/files"
sed -n 's/^f //p' "$work/old" | while IFS= read -r name; do
	grep -qxF "$name" "$work/files" || rm -f "$prefix/$name"
done
{
	sed 's/^/f /' "$work/files"
	grep -h '^d ' "$work/old" "$work/made" || true
} | sort -u >"$stage/list"
mv -f "$stage/list" "$prefix/$list"

"$prefix/bin/doppel" --version
case :$PATH: in
*:"$prefix/bin":*) ;;
*) echo "Add doppel to PATH:          export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
[ -n "$all" ] || echo "For the tools by their names: export PATH=\"\$PATH:$prefix/libexec/doppel/bin\""
