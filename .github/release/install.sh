#!/bin/sh
# Installs a released mockserver with its man page and completions: sh install.sh [PREFIX], ~/.local by default.
# VERSION=1.2.3 selects a release, and MOCKSERVER_URL a mirror of its files.
# The archive is unpacked only if its checksum equals the one in SHA256SUMS.
set -eu
repository=${REPOSITORY:-@REPOSITORY@}
prefix=${1:-$HOME/.local}
case "$(uname -s)-$(uname -m)" in
  Darwin-*) name=mockserver-swift-macos-universal ;;
  Linux-x86_64) name=mockserver-swift-linux-x86_64 ;;
  Linux-aarch64 | Linux-arm64) name=mockserver-swift-linux-aarch64 ;;
  *)
    echo "install.sh: $(uname -s) on $(uname -m) is not supported" >&2
    exit 1
    ;;
esac
address=https://github.com/$repository/releases/latest/download
if [ -n "${VERSION:-}" ]; then address=https://github.com/$repository/releases/download/$VERSION; fi
address=${MOCKSERVER_URL:-$address}
if command -v curl >/dev/null; then
  fetch() { curl -fsSL -o "$1" "$2"; }
elif command -v wget >/dev/null; then
  fetch() { wget -qO "$1" "$2"; }
else
  echo "install.sh: neither curl nor wget is installed; install one of them" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$name.tar.gz" SHA256SUMS; do
  fetch "$work/$file" "$address/$file" || { echo "install.sh: $address/$file cannot be downloaded" >&2; exit 1; }
done
wanted=$(awk -v file="$name.tar.gz" '$2 == file { print $1 }' "$work/SHA256SUMS")
if command -v sha256sum >/dev/null; then
  found=$(sha256sum "$work/$name.tar.gz")
else
  found=$(shasum -a 256 "$work/$name.tar.gz")
fi
if [ -z "$wanted" ] || [ "${found%% *}" != "$wanted" ]; then
  echo "install.sh: the checksum of $address/$name.tar.gz is not that in SHA256SUMS; nothing was installed" >&2
  exit 1
fi
mkdir -p "$prefix"
tar -xzf "$work/$name.tar.gz" -C "$prefix"
echo "installed $("$prefix/bin/mockserver" --version) in $prefix/bin"
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "add this folder to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
