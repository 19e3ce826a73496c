internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem

/// A token of a GraphQL document (GraphQL, October 2021, §2.1), with strings in a uniform spelling.
enum GraphQLToken: Equatable {
  /// One of `! $ & ( ) : = @ [ ] { | }`, or a full stop for the spread.
  case punctuator(UInt8)
  case name([UInt8])
  /// A number as written, or a string in JSON spelling.
  case value([UInt8])
}

/// Splits a GraphQL document into tokens, without white space, commas and comments.
struct GraphQLTokens {
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the tokens in their order; nil if a token is invalid.
  static func all(of bytes: [UInt8]) -> [GraphQLToken]? {
    var lexer = GraphQLTokens(bytes)
    var tokens: [GraphQLToken] = []
    while true {
      lexer.skipIgnored()
      guard lexer.at < bytes.count else { return tokens }
      guard let token = lexer.next() else { return nil }
      tokens.append(token)
    }
  }

  private func byte(_ offset: Int = 0) -> UInt8 { at + offset < bytes.count ? bytes[at + offset] : 0 }

  private mutating func skipIgnored() {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ","): at += 1
      case 0xef where byte(1) == 0xbb && byte(2) == 0xbf: at += 3
      case UInt8(ascii: "#"): while at < bytes.count, bytes[at] != 0x0a, bytes[at] != 0x0d { at += 1 }
      default: return
      }
    }
  }

  private static let punctuators = ByteSet(adding: "!$&():=@[]{|}")
  private static let nameBytes = ByteSet.word.adding("_")
  private static let placeholder = Array("{{secret".utf8)

  private mutating func next() -> GraphQLToken? {
    let first = bytes[at]
    if first == UInt8(ascii: "{"), bytes[at...].starts(with: Self.placeholder) { return placeholderToken() }
    if Self.punctuators.contains(first) {
      at += 1
      return .punctuator(first)
    }
    if first == UInt8(ascii: ".") {
      guard byte(1) == first, byte(2) == first else { return nil }
      at += 3
      return .punctuator(first)
    }
    if first == UInt8(ascii: "\"") { return string() }
    if first == UInt8(ascii: "-") || first &- 0x30 < 10 { return number() }
    guard Self.nameBytes.contains(first) else { return nil }
    let start = at
    while at < bytes.count, Self.nameBytes.contains(bytes[at]) { at += 1 }
    return .name(Array(bytes[start..<at]))
  }

  /// Parses the placeholder of a secret that replaced a number or a name: `{{` never occurs otherwise.
  private mutating func placeholderToken() -> GraphQLToken? {
    guard let end = bytes[at...].prefix(SecretAlias.longest).firstIndex(of: UInt8(ascii: "}")), end + 1 < bytes.count,
      bytes[end + 1] == UInt8(ascii: "}")
    else { return nil }
    let start = at
    at = end + 2
    return .value(Array(bytes[start..<at]))
  }

  private mutating func number() -> GraphQLToken? {
    let start = at
    var end = at
    do throws(JSONTextError) { try JSONScanner.skipValue(in: bytes.span, at: &end) } catch { return nil }
    at = end
    // A name or a point directly after a number is an error (§2.9.1).
    guard !Self.nameBytes.contains(byte()), byte() != UInt8(ascii: ".") else { return nil }
    return .value(Array(bytes[start..<at]))
  }

  private mutating func string() -> GraphQLToken? {
    if byte(1) == UInt8(ascii: "\""), byte(2) == UInt8(ascii: "\"") { return blockString() }
    let start = at + 1
    at = start
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      guard bytes[at] >= 0x20 || bytes[at] == 0x09 else { return nil }
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard at < bytes.count else { return nil }
    let text = GraphQLString.decoded(bytes[start..<at])
    at += 1
    // A string with an invalid escape is kept as written.
    return .value(text.map(Self.spelt) ?? Array(bytes[start - 1..<at]))
  }

  /// Parses a block string, and removes the common indentation of its lines (§2.9.4).
  private mutating func blockString() -> GraphQLToken? {
    at += 3
    var text: [UInt8] = []
    while byte() != UInt8(ascii: "\"") || byte(1) != UInt8(ascii: "\"") || byte(2) != UInt8(ascii: "\"") {
      guard at < bytes.count else { return nil }
      if byte() == UInt8(ascii: "\\"), bytes[(at + 1)...].starts(with: [0x22, 0x22, 0x22]) {
        text += [0x22, 0x22, 0x22]
        at += 4
      } else if byte() == 0x0d {
        text.append(0x0a)
        at += byte(1) == 0x0a ? 2 : 1
      } else {
        text.append(byte())
        at += 1
      }
    }
    at += 3
    var lines = text.split(separator: 0x0a, omittingEmptySubsequences: false).map { $0[...] }
    func indentation(_ line: ArraySlice<UInt8>) -> Int { line.prefix { $0 == 0x20 || $0 == 0x09 }.count }
    let common = lines.dropFirst().filter { indentation($0) < $0.count }.map(indentation).min() ?? 0
    for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(common) }
    while let first = lines.first, indentation(first) == first.count { lines.removeFirst() }
    while let last = lines.last, indentation(last) == last.count { lines.removeLast() }
    return .value(Self.spelt(Array(lines.joined(separator: [0x0a]))))
  }

  private static func spelt(_ text: [UInt8]) -> [UInt8] {
    var token: [UInt8] = []
    JSONString.append(text.span, to: &token)
    return token
  }
}
