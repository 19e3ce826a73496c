// Not part of the package: `.ci/fuzz` compiles these files with the toolchain's libFuzzer, or, with `-D SEEDED`, as a
// command that prints the results of a number of random inputs.

import CassetteEngines
import CassetteHTTP
import CassetteJSON
import CassettePatterns
import CassetteSystem
import Cassettes

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The numbers of outcomes, printed at the end.
struct Tally: CustomStringConvertible {
  var templates = 0
  var refused = 0
  var failed = 0
  /// The number of results that differ from their template.
  var filled = 0
  var json = 0
  var paths = 0
  var schemas = 0
  var patches = 0

  var description: String {
    "\(templates) templates: \(refused) refused, \(failed) without an answer, \(filled) filled in, \(json) of them JSON; "
      + "\(paths) paths, \(schemas) schemas, \(patches) patches"
  }
}

nonisolated(unsafe) var tally = Tally()

/// Writes all bytes to a descriptor.
///
/// The streams of libc are global variables, which Swift 6 does not allow.
func write(_ bytes: [UInt8], to descriptor: Int32) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

/// Renders a template for a random request.
///
/// - Returns: The rendered text if its content type is JSON.
func tryTemplate(_ made: inout Grammar) -> [UInt8]? {
  let content = made.content()
  let text = Array(made.damaged(content == .json ? made.document() : made.template()).utf8)
  tally.templates += 1
  guard let template = try? Template(text, as: content) else {
    tally.refused += 1
    return nil
  }
  var context = made.context()
  guard let answer = try? template.render(in: &context) else {
    tally.failed += 1
    return nil
  }
  if answer != text { tally.filled += 1 }
  switch content {
  case .json:
    // A JSON template must render JSON. A constant text that is not JSON is sent unchanged.
    guard JSONTree(text) != nil || !template.isConstant else { return nil }
    precondition(JSONTree(answer) != nil, "no JSON comes out")
    tally.json += answer == text ? 0 : 1
    return answer
  case .jsonString:
    if !template.isConstant, text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      let quote = [UInt8(ascii: "\"")]
      precondition(JSONTree(quote + answer + quote) != nil, "a value leaves its string")
    }
  case .field, .link:
    if !text.contains(where: { $0 < 0x20 }) {
      precondition(!answer.contains { $0 == 0x0a || $0 == 0x0d || $0 == 0 }, "a value ends its line")
    }
  case .jsonPiece, .markup, .form, .text: break
  }
  return nil
}

/// Evaluates a JSONPath query on a JSON value with both implementations.
func tryPath(_ made: inout Grammar) {
  guard let query = try? JSONQuery(made.damaged(made.place())), let tree = JSONTree(made.body()) else { return }
  tally.paths += 1
  precondition((try? JSONQuery(query.description)) == query, "a path that is not read back")
  var (one, other) = (MatchingBudget(), MatchingBudget())
  guard let nodes = query.nodes(in: tree, &one), let places = query.places(in: tree, &other) else { return }
  precondition(Set(nodes.map(\.range)) == Set(places.map(\.range)), "two answers to one path")
}

/// Checks a value against a schema and against its negation.
func trySchema(_ made: inout Grammar) {
  let text = made.damaged(made.schema())
  guard let tree = JSONTree(made.body()), let schema = try? JSONSchema(Array(text.utf8)) else { return }
  tally.schemas += 1
  var (one, other) = (MatchingBudget(), MatchingBudget())
  let found = schema.violations(of: tree, &one)
  // A reference or an identifier would have another meaning inside another schema.
  guard !text.contains("$"), let not = try? JSONSchema(Array("{\"not\":\(text)}".utf8)),
    let found, let opposite = not.violations(of: tree, &other)
  else { return }
  precondition(found.isEmpty != opposite.isEmpty, "a value must match either a schema or its negation")
}

/// Applies a patch of either kind.
func tryPatch(_ made: inout Grammar) {
  guard let value = EditableJSON(made.body()) else { return }
  var changed = value
  if made.below(3) == 0 {
    guard let patch = EditableJSON(Array(made.value().utf8)) else { return }
    changed.merge(patch)
    let once = changed.bytes
    changed.merge(patch)
    precondition(changed.bytes == once, "merged twice is not merged once")
  } else {
    guard let json = EditableJSON(Array(made.damaged(made.operations()).utf8)), let patch = try? JSONPatch(json) else {
      return
    }
    do {
      try patch.apply(to: &changed)
    } catch {
      precondition(changed.bytes == value.bytes, "a patch that fails has changed something")
    }
  }
  tally.patches += 1
  precondition(JSONTree(changed.bytes) != nil, "the result of a patch is not JSON")
}

#if SEEDED
  /// `fuzzer COUNT SEED` makes COUNT templates, prints each JSON result on a line, and the counts on standard error.
  @main enum Seeded {
    static func main() {
      let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
      let (count, seed) = (arguments.first ?? 1_000, arguments.dropFirst().first ?? 1)
      var output: [UInt8] = []
      for number in 0..<count {
        var made = Grammar([], seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ number)
        guard let answer = tryTemplate(&made) else { continue }
        output += answer.map { $0 == 0x0a ? 0x20 : $0 } + [0x0a]
        guard output.count > 1 << 16 else { continue }
        write(output, to: 1)
        output = []
      }
      write(output, to: 1)
      write(Array("\(tally)\n".utf8), to: 2)
    }
  }
#else
  /// The entry point of libFuzzer.
  ///
  /// The first byte chooses the kind of input, and the others are choices of the grammar.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if tally.templates == 0 { atexit { write(Array("behaviour: \(tally)\n".utf8), to: 2) } }
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    var made = Grammar(input.dropFirst(), seed: 0)
    switch (input.first ?? 0) & 7 {
    case 5: tryPath(&made)
    case 6: trySchema(&made)
    case 7: tryPatch(&made)
    default: _ = tryTemplate(&made)
    }
    return 0
  }
#endif
