#!/bin/sh
# Installs a released mockserver: REPOSITORY=owner/name sh install.sh [FOLDER]
# The checksum of the archive is compared before anything is unpacked.
set -eu
repository=${REPOSITORY:?the repository on GitHub, owner/name}
folder=${1:-$HOME/.local/bin}
case "$(uname -s)-$(uname -m)" in
  Darwin-*) name=mockserver-macos-universal ;;
  Linux-x86_64) name=mockserver-linux-x86_64 ;;
  Linux-aarch64 | Linux-arm64) name=mockserver-linux-aarch64 ;;
  *)
    echo "install.sh: there is no binary for $(uname -s) on $(uname -m); build it: swift build -c release" >&2
    exit 1
    ;;
esac
address=https://github.com/$repository/releases/latest/download
if [ -n "${VERSION:-}" ]; then address=https://github.com/$repository/releases/download/v$VERSION; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
curl -fsSL -o "$work/$name.tar.gz" "$address/$name.tar.gz"
curl -fsSL -o "$work/SHA256SUMS" "$address/SHA256SUMS"
cd "$work"
line=$(grep " $name.tar.gz\$" SHA256SUMS) || { echo "install.sh: SHA256SUMS does not name $name.tar.gz" >&2; exit 1; }
if command -v sha256sum >/dev/null; then
  echo "$line" | sha256sum -c - >/dev/null
else
  echo "$line" | shasum -a 256 -c - >/dev/null
fi
mkdir -p "$folder"
tar -xzf "$name.tar.gz" -C "$folder" mockserver
echo "installed $("$folder/mockserver" --version) in $folder"
