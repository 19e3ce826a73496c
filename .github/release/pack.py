"""Creates the files of a release from the programs of .github/release/build: pack.py VERSION OWNER/NAME OUT [debian].

OUT contains a folder for each platform. The files written to OUT are published: for each platform an archive, a wheel
and, for Linux, a Debian package; an npm package and an artifact bundle with all platforms; the installer, a Homebrew
formula, an SBOM (SPDX 2.3) and checksums. Two runs with the same programs and the same SOURCE_DATE_EPOCH write the same
bytes. With `debian`, only the Debian packages are written.
"""
import base64
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

version, repository, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
here = pathlib.Path(__file__).resolve().parent
top = here.parent.parent
moment = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
address = f"https://github.com/{repository}/releases/download/{version}"
maintainer = "The mockserver project <noreply@github.com>"
summary = "Record and replay HTTP mock server"

# The name of each platform for Debian, wheels, npm and Swift.
PLATFORMS = {
    "linux-x86_64": ("amd64", "manylinux_2_{glibc}_x86_64", "linux-x64", ["x86_64-unknown-linux-gnu"]),
    "linux-aarch64": ("arm64", "manylinux_2_{glibc}_aarch64", "linux-arm64", ["aarch64-unknown-linux-gnu"]),
    "macos-universal": (None, "macosx_13_0_universal2", "darwin", ["arm64-apple-macosx", "x86_64-apple-macosx"]),
}
found = [name for name in PLATFORMS if (out / name / "bin/mockserver").exists()]


def files(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def mode(path):
    return 0o755 if {"bin", "tool"} & set(path.parts[-2:-1]) or path.suffix == ".mjs" else 0o644


def glibc(program):
    """Returns the minor version of the newest glibc that a program requires: 34 for 2.34."""
    return max(int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?:\.\d+)?(?=\0)", program.read_bytes()))


def zipped(target, entries):
    """Writes a zip archive. An entry is a name and bytes, and True for an executable."""
    stamp = time.gmtime(max(moment, 315619200))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, *program in entries:
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if program and program[0] else 0o100644) << 16
            archive.writestr(entry, data)


def archive(platform):
    target = out / f"mockserver-swift-{platform}.tar.gz"
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, moment) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            paths = [(path, path.relative_to(out / platform)) for part in ("bin", "share") for path in files(out / platform / part)]
            for path, name in [*paths, (top / "LICENSE", pathlib.Path("share/doc/mockserver-swift/LICENSE"))]:
                entry = tarfile.TarInfo(str(name))
                entry.size, entry.mode, entry.mtime = path.stat().st_size, mode(path), moment
                tar.addfile(entry, io.BytesIO(path.read_bytes()))


def debian(platform, architecture):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "root"
        for part in ("bin", "share"):
            shutil.copytree(out / platform / part, root / "usr" / part)
        documents = root / "usr/share/doc/mockserver-swift"
        documents.mkdir(parents=True)
        shutil.copy(top / "LICENSE", documents / "copyright")
        day = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(moment))
        changes = f"mockserver-swift ({version}) stable; urgency=medium\n\n  * {address.replace('download', 'tag')}\n\n -- {maintainer}  {day}\n"
        (documents / "changelog.gz").write_bytes(gzip.compress(changes.encode(), 9, mtime=0))
        manual = root / "usr/share/man/man1/mockserver.1"
        manual.with_suffix(".1.gz").write_bytes(gzip.compress(manual.read_bytes(), 9, mtime=0))
        manual.unlink()
        zsh = root / "usr/share/zsh"
        (zsh / "site-functions").rename(zsh / "vendor-completions")
        size = sum(path.stat().st_size for path in files(root)) // 1024
        control = f"""Package: mockserver-swift
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: libc6 (>= 2.{glibc(root / "usr/bin/mockserver")}), libgcc-s1, zlib1g
Recommends: libssl3t64 | libssl3, ca-certificates, libbrotli1, libzstd1
Section: web
Priority: optional
Homepage: https://github.com/{repository}
Description: {summary}
 Answers the requests of HTTP clients from recordings in JSON files, and
 records live traffic. https needs libssl3; bodies in br and zstd need
 libbrotli1 and libzstd1.
"""
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(control)
        for path in root.rglob("*"):
            path.chmod(0o755 if path.is_dir() else mode(path))
        root.chmod(0o755)
        target = out / f"mockserver-swift_{version}_{architecture}.deb"
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
        command = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(root), str(target)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def wheel(platform, tag):
    name, module = f"mockserver_swift-{version}", here / "python/mockserver_swift"
    tag = "py3-none-" + tag.format(glibc=glibc(out / platform / "bin/mockserver") if "{" in tag else "")
    entries = []
    for path in sorted(module.glob("*.py")):
        text = path.read_text().replace('__version__ = "0.0.0"', f'__version__ = "{version}"')
        entries.append((f"mockserver_swift/{path.name}", text.encode(), False))
    for path in files(out / platform / "bin"):
        entries.append((f"mockserver_swift/{path.name}", path.read_bytes(), True))
    readme = (here / "python/README.md").read_text()
    metadata = f"""Metadata-Version: 2.1
Name: mockserver-swift
Version: {version}
Summary: {summary}, with a pytest fixture
License: MIT
Requires-Python: >=3.9
Project-URL: Source, https://github.com/{repository}
Classifier: Framework :: Pytest
Description-Content-Type: text/markdown

{readme}"""
    scripts = "[console_scripts]\nmockserver = mockserver_swift:main\nmockserver-swift = mockserver_swift:main\n\n[pytest11]\nmockserver = mockserver_swift.pytest_plugin\n"
    information = f"{name}.dist-info"
    entries += [
        (f"{information}/METADATA", metadata.encode(), False),
        (f"{information}/WHEEL", f"Wheel-Version: 1.0\nGenerator: pack.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False),
        (f"{information}/entry_points.txt", scripts.encode(), False),
        (f"{information}/LICENSE", (top / "LICENSE").read_bytes(), False),
    ]
    record = ""
    for path, data, _ in entries:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    entries.append((f"{information}/RECORD", f"{record}{information}/RECORD,,\n".encode(), False))
    zipped(out / f"{name}-{tag}.whl", entries)


def node():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "package"
        shutil.copytree(here / "npm", root)
        shutil.copy(top / "LICENSE", root)
        description = json.loads((root / "package.json").read_text())
        description["version"] = version
        description["repository"] = f"github:{repository}"
        (root / "package.json").write_text(json.dumps(description, indent=2) + "\n")
        for platform in found:
            shutil.copytree(out / platform / "bin", root / "bin" / PLATFORMS[platform][2])
        for path in files(root):
            path.chmod(0o755 if "bin" in path.relative_to(root).parts or path.name == "mockserver.mjs" else 0o644)
        command = ["npm", "pack", "--silent", "--pack-destination", str(out.resolve())]
        subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)


def bundle():
    """Writes the tool of `swift package cassettes` as an artifact bundle (SE-0305)."""
    variants, entries = [], []
    for platform in found:
        for path in files(out / platform / "tool"):
            entries.append((f"cassettes-tool.artifactbundle/{platform}/{path.name}", path.read_bytes(), True))
        variants.append({"path": f"{platform}/cassettes-tool", "supportedTriples": PLATFORMS[platform][3]})
    artifact = {"type": "executable", "version": version, "variants": variants}
    information = {"schemaVersion": "1.0", "artifacts": {"cassettes-tool": artifact}}
    entries.append(("cassettes-tool.artifactbundle/info.json", json.dumps(information, indent=2).encode() + b"\n", False))
    zipped(out / "cassettes-tool.artifactbundle.zip", entries)


def digest(name):
    return hashlib.sha256((out / name).read_bytes()).hexdigest()


def published():
    return [path.name for path in sorted(out.iterdir()) if path.is_file()]


def installer():
    text = (here / "install.sh").read_text()
    (out / "install.sh").write_text(text.replace("@REPOSITORY@", repository))


def formula():
    def source(platform, margin):
        name = f"mockserver-swift-{platform}.tar.gz"
        lines = [f'url "{address}/{name}"', f'sha256 "{digest(name)}"']
        return ("\n" + " " * margin).join(lines)

    systems = ""
    if "macos-universal" in found:
        systems += f"  on_macos do\n    {source('macos-universal', 4)}\n  end\n"
    linux = [("linux-x86_64", "intel"), ("linux-aarch64", "arm")]
    parts = [f"    on_{word} do\n      {source(name, 6)}\n    end\n" for name, word in linux if name in found]
    systems += "  on_linux do\n" + "".join(parts) + "  end\n"
    (out / "mockserver-swift.rb").write_text(
        f"""class MockserverSwift < Formula
  desc "{summary}"
  homepage "https://github.com/{repository}"
  version "{version}"
  license "MIT"

{systems}
  conflicts_with "mockserver", because: "both install a program named `mockserver`"

  def install
    bin.install Dir["bin/*"]
    man1.install "share/man/man1/mockserver.1"
    bash_completion.install "share/bash-completion/completions/mockserver"
    zsh_completion.install "share/zsh/site-functions/_mockserver"
    fish_completion.install "share/fish/vendor_completions.d/mockserver.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/mockserver --version")
  end
end
"""
    )


def listing():
    """Writes the SBOM. The package has no dependencies, so it lists only the libraries that the toolchain links."""
    def package(name, **more):
        return {"SPDXID": f"SPDXRef-{name}", "name": name, "downloadLocation": "NOASSERTION", **more}

    def relation(name, kind, other):
        return {"spdxElementId": f"SPDXRef-{name}", "relationshipType": kind, "relatedSpdxElement": f"SPDXRef-{other}"}

    linked = ["swift-runtime", "swift-foundation", "swift-corelibs-libdispatch"]
    sums = {name: [{"algorithm": "SHA256", "checksumValue": digest(name)}] for name in published()}
    named = {name: re.sub(r"[^A-Za-z0-9.-]", "-", name) for name in sums}
    packages = [package("mockserver-swift", versionInfo=version, licenseDeclared="MIT"), *map(package, linked)]
    packages += [
        {**package(named[name], downloadLocation=f"{address}/{name}", checksums=sums[name]), "name": name} for name in sums
    ]
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"mockserver-swift-{version}",
        "documentNamespace": f"{address}/mockserver-swift.spdx.json",
        "creationInfo": {"created": created, "creators": ["Tool: pack.py"]},
        "packages": packages,
        "relationships": [relation("DOCUMENT", "DESCRIBES", "mockserver-swift")]
        + [relation("mockserver-swift", "CONTAINS", name) for name in linked]
        + [relation(name, "PACKAGE_OF", "mockserver-swift") for name in named.values()],
    }
    (out / "mockserver-swift.spdx.json").write_text(json.dumps(document, indent=2) + "\n")


if not found:
    sys.exit(f"pack.py: {out} contains no folder of a platform; run .github/release/build {out} first")
for name in published():
    (out / name).unlink()
for platform in found:
    # The artifacts of a workflow have no permissions.
    for path in [*files(out / platform / "bin"), *files(out / platform / "tool")]:
        path.chmod(0o755)
        if PLATFORMS[platform][0] and glibc(path) > 34:
            sys.exit(f"pack.py: {path} needs glibc 2.{glibc(path)}; 2.34 is the newest that RHEL 9 has. Replace the function in .github/release/build")
alone = sys.argv[4:] == ["debian"]
for platform in found:
    architecture, tag, _, _ = PLATFORMS[platform]
    if architecture:
        debian(platform, architecture)
    if not alone:
        archive(platform)
        wheel(platform, tag)
if not alone:
    for write in (node, bundle, installer, formula, listing):
        write()
    (out / "SHA256SUMS").write_text("".join(f"{digest(name)}  {name}\n" for name in published()))
for name in published():
    print(f"{(out / name).stat().st_size:>10}  {name}")
