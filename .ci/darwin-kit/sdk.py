"""Creates an imitation of Apple's SDK from the Linux toolchain and the macOS headers of the PyPI package ziglang."""
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from interface import converted, header, repaired

# The libc headers of macOS are equal in the packages for all platforms: one file serves every machine.
HEADERS = 'ziglang==0.17.1 --hash=sha256:ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54'
WHEEL = ['--platform', 'manylinux2010_x86_64', '--only-binary=:all:', '--no-deps']
FOLDER = 'ziglang/lib/libc/include/any-darwin-any/'
KIT = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get('XDG_CACHE_HOME') or pathlib.Path.home() / '.cache') / 'mockserver-darwin'
# Modules whose textual interfaces are part of the toolchain.
SHIPPED = ['Swift', '_Concurrency', '_StringProcessing', '_RegexParser', 'SwiftOnoneSupport', '_Builtin_float', 'Testing',
           '_TestingInterop']
# Modules whose interfaces are printed from Linux modules: the modules to print, and the modules they re-export.
PRINTED = {'Dispatch': (['Dispatch'], []),
           'Foundation': (['Foundation', 'FoundationEssentials', 'FoundationInternationalization', 'FoundationNetworking'],
                          ['Dispatch']),
           'XCTest': (['XCTest'], ['Foundation']),
           'PackagePlugin': (['PackagePlugin'], ['Foundation'])}
WRITTEN = ['os', 'Security', 'Combine']
# The name of the SDK, the system name in a target triple, and the suffix of the triple.
PLATFORMS = {'macos': ('macosx', 'macosx', ''), 'ios': ('iphonesimulator', 'ios', '-simulator')}


class Problem(Exception):
    """The reason why nothing can be checked."""


def run(arguments, **more):
    """Returns the output of a command. Raises a Problem if the command fails."""
    result = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, **more)
    if result.returncode:
        raise Problem(f'{" ".join(map(str, arguments[:3]))} fails: {(result.stderr or result.stdout).strip()[-2000:]}')
    return result.stdout


class Toolchain:
    """The Swift toolchain of `swift` in PATH."""

    def __init__(self):
        if not shutil.which('swift'):
            raise Problem('no `swift` in PATH')
        info = json.loads(run(['swift', '-print-target-info']))
        self.version, self.triple = info['compilerVersion'], info['target']['moduleTriple']
        if 'linux' not in self.triple:
            raise Problem(f'made for Linux, not for {self.triple}: there, run swift build and swift test')
        self.resources = pathlib.Path(info['paths']['runtimeResourcePath'])
        self.programs = self.resources.parents[1] / 'bin'
        self.architecture = {'aarch64': 'arm64'}.get(info['target']['arch'], info['target']['arch'])


class Kit:
    """The part of the cache that belongs to this kit and this toolchain."""

    def __init__(self, say):
        self.say, self.toolchain = say, Toolchain()
        texts = [path.read_bytes() for path in sorted([*KIT.glob('*.py'), *KIT.glob('imitations/*')])]
        self.folder = CACHE / hashlib.sha256(b'\0'.join([self.toolchain.version.encode(), *texts])).hexdigest()[:16]
        self.folder.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def making(self, folder):
        """Yields true if this process must create the folder; others wait. An incomplete folder is created again."""
        with open(CACHE / 'lock', 'w') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            missing = not (folder / 'done').exists()
            if missing:
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
            yield missing
            (folder / 'done').touch()

    def headers(self):
        """Returns the folder with the libc headers of macOS, downloaded once for each version."""
        folder = CACHE / ('headers-' + hashlib.sha256(HEADERS.encode()).hexdigest()[:16])
        with self.making(folder) as missing:
            if missing:
                self.say(f'downloading {HEADERS.split()[0]} (101 MB, once), for the headers of macOS')
                self.download(folder)
        return folder / FOLDER

    def download(self, folder):
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            wanted = pathlib.Path(scratch, 'requirements.txt')
            wanted.write_text(HEADERS + '\n')
            try:
                run([sys.executable, '-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-cache-dir',
                     '--require-hashes', *WHEEL, '--dest', scratch, '--requirement', wanted])
            except Problem as problem:
                raise Problem(f'the headers of macOS could not be downloaded. This needs pip (on Debian and Ubuntu, '
                              f'apt-get install python3-pip) and PyPI, once; then they are in {CACHE}. {problem}') from None
            with zipfile.ZipFile(next(pathlib.Path(scratch).glob('*.whl'))) as wheel:
                wheel.extractall(folder, [name for name in wheel.namelist() if name.startswith(FOLDER)])

    def sdk(self, platform, version):
        """Returns the imitation for one platform and its oldest supported version."""
        folder = self.folder / f'{platform}{version}'
        headers = self.headers()
        with self.making(folder) as missing:
            sdk = SDK(self, folder, platform, version)
            if missing:
                self.say(f'making the imitation of the SDK for {sdk.triple}')
                sdk.make(headers)
        return sdk


class SDK:
    """An imitation of Apple's SDK for one triple: an SDK folder with Darwin and the standard library, and a folder of modules."""

    def __init__(self, kit, folder, platform, version):
        self.kit, self.folder, self.platform = kit, folder, platform
        self.name, system, tail = PLATFORMS[platform]
        architecture, resources = kit.toolchain.architecture, kit.toolchain.resources
        self.triple, self.module_triple = (f'{architecture}-apple-{name}{tail}' for name in (f'{system}{version}', platform))
        self.frontend = [
            kit.toolchain.programs / 'swiftc', '-frontend', '-target', self.triple, '-disable-objc-interop',
            '-sdk', folder / 'sdk', '-resource-dir', resources, '-module-cache-path', kit.folder / 'clang',
            '-I', folder / 'modules', '-I', resources / 'shims', '-plugin-path', resources / 'host/plugins']
        self.clang = [
            kit.toolchain.programs / 'clang', '-isysroot', folder / 'sdk', '-fsyntax-only', '-Wall', '-Wextra', '-Werror',
            '-Wunguarded-availability']
        # A device and a simulator may have different processors, and C code may depend on the processor.
        self.triples = [f'{processor}-apple-{system}{version}' for processor in ('arm64', 'x86_64')
                        if processor == 'arm64' or platform == 'macos'] + ([self.triple] if tail else [])

    def make(self, headers):
        include, library, modules = (self.folder / path for path in ('sdk/usr/include', 'sdk/usr/lib/swift', 'modules'))
        shutil.copytree(headers, include)
        for folder in (include / 'imitated', library, modules):
            folder.mkdir(parents=True)
        shutil.copy(KIT / 'imitations/module.modulemap', include)
        shutil.copy(KIT / 'imitations/compression.h', include / 'imitated')
        settings = {'CanonicalName': f'{self.name}14.0', 'DisplayName': '', 'Version': '14.0', 'MaximumDeploymentTarget': '99.0'}
        (self.folder / 'sdk/SDKSettings.json').write_text(json.dumps(settings))
        for module in SHIPPED:
            self.take_over(module, library)
        self.emit('Darwin', '-disable-availability-checking', '-import-underlying-module')
        for module, (parts, imports) in PRINTED.items():
            self.print(module, parts, imports)
        for module in WRITTEN:
            self.emit(module)
        # Builds the standard library and Testing into the module cache once.
        probe = self.folder / 'probe.swift'
        probe.write_text(''.join(f'import {module}\n' for module in [*PRINTED, *WRITTEN, *SHIPPED] if module[0] != '_'))
        run([*self.frontend, '-typecheck', '-parse-as-library', probe])

    def take_over(self, module, library):
        """Copies an interface of the toolchain, with Apple's triple and C library."""
        linux = self.kit.toolchain
        path = linux.resources / 'linux' / f'{module}.swiftmodule' / f'{linux.triple}.swiftinterface'
        if not path.exists():
            return
        text = path.read_text().replace(f'-target {linux.triple}', f'-target {self.triple}', 1)
        text = text.replace('// swift-module-flags: ', '// swift-module-flags: -disable-availability-checking ', 1)
        text = re.sub(r'(?m)^((?:public |internal )?import) Glibc\b', r'\1 Darwin', text)
        # A back-deployed function needs a body, which the interface for Linux does not have.
        text = re.sub(r'(?m)^ *@backDeployed\(before: [^)]*\)', '', text)
        folder = library / f'{module}.swiftmodule'
        folder.mkdir()
        (folder / f'{self.module_triple}.swiftinterface').write_text(text)

    def emit(self, module, *more):
        """Compiles a handwritten module."""
        run([*self.frontend, '-emit-module', '-parse-as-library', '-swift-version', '5', *more, '-module-name', module,
             KIT / f'imitations/{module}.swift', '-o', self.folder / f'modules/{module}.swiftmodule'])

    def print(self, module, parts, imports):
        """Compiles the printed interfaces of Linux modules as one module, repaired until the compiler accepts it."""
        linux, path = self.kit.toolchain, self.folder / f'{module}.swiftinterface'
        texts = [run([linux.programs / 'swift-synthesize-interface', '-module-name', part, '-target', linux.triple,
                      '-I', linux.resources / 'pm/PluginAPI', '-o', '/dev/stdout']) for part in parts]
        own = KIT / f'imitations/{module}.swiftinterface'
        own = own.read_text() if own.exists() else ''
        text = header(linux, self.triple, module, imports) + converted(texts, module, own, self.platform)
        for _ in range(8):
            path.write_text(text)
            result = subprocess.run(
                [*map(str, self.frontend), '-compile-module-from-interface', '-module-name', module, str(path),
                 '-o', str(self.folder / f'modules/{module}.swiftmodule')], capture_output=True, text=True)
            if result.returncode == 0:
                return
            errors = re.findall(r'interface:(\d+):\d+: error: (.*)', result.stderr)
            text = repaired(text, [(int(line), message) for line, message in errors if int(line) > 1])
        raise Problem(f'the interface printed of {module} cannot be repaired: {result.stderr.strip()[-2000:]}')
