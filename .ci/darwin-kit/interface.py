"""Converts the output of `swift-synthesize-interface` for a Linux module to a .swiftinterface for an Apple triple."""
import re

# Groups of declarations that refer to each other and that the package does not use.
DROPPED = re.compile(
    r'(?<!Dispatch)Predicate|AttributedString|AttributedSubstring|AttributeContainer|AttributeScope|AttributeDynamic|AttributeStringKey'
    r'|FormatStyle|ParseStrategy|ParseableFormat|FormatInput|ByteCountFormatter|PersonNameComponents'
    r'|\bMeasurement|NSMeasurement|\bDimension\b|NSUnit|\bUnit[A-Z]?\w*\b|SortDescriptor|\bSortOrder|\bExpression\b'
    r'|LocalizedStringResource|Morphology|InflectionRule|ProgressManager|ProgressReporter|RegexComponent|URL\.Template'
    r'|NSLinguistic|NSOrderedCollection|\bLocale\.Components|@freestanding')
# Types that a platform lacks.
ABSENT = {'ios': {'Process'}}
ATTRIBUTES = re.compile(r'\s*(@\w+(\([^)]*\))?\s*)+')
TYPE = re.compile(r'\b(?:class|struct|enum|protocol|extension|actor) (?!(?:func|var|let|subscript)\b)\w')
NAMED = re.compile(r'(?:(?:@\w+(?:\([^)]*\))?|public|open|final) )*(?:class|struct|enum|protocol|actor|typealias|let|var) (\w+)')
PROPERTY = re.compile(r'^( *)(.*?)\b(let|var) (`?\w+`?: [^{=]*?)(?: = .*)?$')


def header(toolchain, triple, module, imports):
    return f"""// swift-interface-format-version: 1.0
// swift-compiler-version: {toolchain.version}
// swift-module-flags: -disable-availability-checking -target {triple} -disable-objc-interop -enable-library-evolution \
-swift-version 5 -enable-experimental-feature Lifetimes -module-name {module}
import _Concurrency
import _StringProcessing
""" + ''.join(f'@_exported import {name}\n' for name in ['Darwin', 'Swift'] + imports)


def converted(printed, module, imitation='', platform='macos'):
    """Returns the printed declarations that Apple's module can have. Types of the imitation replace printed types."""
    seen = {match[1] for match in map(NAMED.match, imitation.split('\n')) if match} | ABSENT.get(platform, set())
    added = re.findall(r'^// in (\w+): (.*)$', imitation, re.M)
    lines = []
    for text in printed:
        text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
        text = re.sub(r'\bFoundation(Essentials|Internationalization|Networking)\.', module + '.', text)
        text = text.replace('@inlinable ', '').replace('dispatch_fd_t', 'Int32').replace('dispatch_time_t', 'UInt64')
        text = [line for line in text.split('\n') if line.strip() and not re.match(r'\s*///|(\S+ )*import ', line)]
        for declaration in declarations(text):
            named = NAMED.match(next(line for line in declaration if not ATTRIBUTES.fullmatch(line)))
            if named and named[1] in seen:
                continue
            declaration = kept(declaration)
            if declaration and named:
                seen.add(named[1])
                declaration[-1:-1] = [f'    {line}' for name, line in added if name == named[1]]
            lines += declaration
    return '\n'.join(lines) + '\n' + re.sub(r'(?m)^//.*\n', '', imitation)


def declarations(lines):
    """Yields the lines in groups: each group is one declaration with its attributes."""
    current, depth = [], 0
    for line in lines:
        current.append(line)
        depth += line.count('{') - line.count('}')
        if depth == 0 and not ATTRIBUTES.fullmatch(line):
            yield current
            current = []


def kept(declaration):
    """Returns the lines of a declaration, with computed in place of stored properties, or none to drop it."""
    at = next(i for i, line in enumerate(declaration) if not ATTRIBUTES.fullmatch(line))
    before, head = declaration[:at], declaration[at]
    if DROPPED.search(head):
        return []
    if len(declaration) > at + 1 and TYPE.search(head):
        inner = [line for member in declarations(declaration[at + 1:-1]) for line in kept(member)]
        return before + [head] + inner + declaration[-1:]
    isReadOnly = re.search(r'\b(private|fileprivate|internal)\(set\) |\blet\b', head)
    head = re.sub(r'\b(private|internal|fileprivate|public)\(set\) |\bweak |\bunowned(\(unsafe\))? ', '', head)
    head = re.sub(r'\blet (\w+: [^\n]*\{ get)', r'var \1', head)
    if '{' not in head and re.search(r'\bsubscript[<(]', head):
        head += ' { get set }'
    property = '{' not in head and 'static ' not in head and PROPERTY.match(head)
    if property:
        head = f'{property[1]}{property[2]}var {property[4]} {{ get{"" if isReadOnly else " set"} }}'
    return before + [head] + declaration[at + 1:]


def repaired(text, errors):
    """Returns the text with the lines of these errors (line number, message) repaired or dropped."""
    lines, dead = text.split('\n'), set()
    for number, message in errors:
        i = number - 1
        if "requires an 'override'" in message:
            if 'override' not in lines[i]:
                lines[i] = re.sub(r'^( *)', r'\1override ', lines[i])
        elif 'does not override' in message:
            lines[i] = lines[i].replace('override ', '')
        else:
            end, depth = i, 0
            while (depth := depth + lines[end].count('{') - lines[end].count('}')) > 0:
                end += 1
            while lines[i - 1].strip() and ATTRIBUTES.fullmatch(lines[i - 1]):
                i -= 1
            dead.update(range(i, end + 1))
    return '\n'.join('' if i in dead else line for i, line in enumerate(lines))
