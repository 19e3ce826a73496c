"""Writes what a release has beside its binaries: an SBOM (SPDX 2.3) and a Homebrew formula.

release.py VERSION OWNER/NAME FOLDER; the folder holds the archives.
"""
import datetime
import hashlib
import json
import pathlib
import sys

version, repository, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
archives = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.tar.gz"))}
address = f"https://github.com/{repository}/releases/download/v{version}"


def package(name, **more):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "downloadLocation": "NOASSERTION", **more}


packages = [package("mockserver", versionInfo=version, licenseDeclared="MIT")]
packages += [
    package(name, downloadLocation=f"{address}/{name}", checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    for name, digest in archives.items()
]
# There are no package dependencies; what the toolchain links in is all there is.
packages += [package(name) for name in ("swift-runtime", "swift-foundation", "swift-corelibs-libdispatch", "zlib", "musl")]
sbom = {
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": f"mockserver-{version}",
    "documentNamespace": f"{address}/mockserver.spdx.json",
    "creationInfo": {
        "created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "creators": ["Tool: release.py"],
    },
    "packages": packages,
    "relationships": [
        {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-mockserver"}
    ]
    + [
        {"spdxElementId": "SPDXRef-mockserver", "relationshipType": "CONTAINS", "relatedSpdxElement": one["SPDXID"]}
        for one in packages[1:]
    ],
}
(folder / "mockserver.spdx.json").write_text(json.dumps(sbom, indent=2) + "\n")


def source(name):
    return f'url "{address}/{name}"\n      sha256 "{archives[name]}"'


(folder / "mockserver.rb").write_text(
    f"""class Mockserver < Formula
  desc "Answers HTTP requests from recordings in files"
  homepage "https://github.com/{repository}"
  version "{version}"
  license "MIT"

  on_macos do
    {source("mockserver-macos-universal.tar.gz").replace("      ", "    ")}
  end
  on_linux do
    on_intel do
      {source("mockserver-linux-x86_64.tar.gz")}
    end
    on_arm do
      {source("mockserver-linux-aarch64.tar.gz")}
    end
  end

  def install
    bin.install "mockserver"
    generate_completions_from_executable(bin/"mockserver", "completions")
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/mockserver --version")
  end
end
"""
)
