import CassetteEngines
import CassetteHTTP
import CassettePatterns
internal import CassetteSystem
import Cassettes

/// A `urlPathTemplate`: literal text, names in braces that match part of a segment, and `**`, which matches anything.
struct WireMockPathTemplate {
  private enum Piece {
    case text(String)
    case name(String)
    case anything
  }

  private let text: String
  private var pieces: [Piece] = []

  init(_ text: String) {
    self.text = text
    var rest = text[...]
    var literal = ""
    func end(_ pieces: inout [Piece]) {
      if !literal.isEmpty { pieces.append(.text(literal)) }
      literal = ""
    }
    while let first = rest.first {
      if rest.hasPrefix("**") {
        end(&pieces)
        pieces.append(.anything)
        rest = rest.dropFirst(2)
      } else if first == "{", let close = rest.firstIndex(of: "}"), rest.index(after: rest.startIndex) < close {
        end(&pieces)
        // WireMock ignores the operators of RFC 6570.
        pieces.append(.name(String(rest[..<close].dropFirst()).filter { !".;*".contains($0) }))
        rest = rest[close...].dropFirst()
      } else {
        literal.append(first)
        rest = rest.dropFirst()
      }
    }
    end(&pieces)
  }

  /// The indices of the segments that consist of one name, counted as in response templates.
  var segments: [String: Int] {
    var segments: [String: Int] = [:]
    for (index, segment) in text.split(separator: "/").enumerated() {
      let pieces = Self(String(segment)).pieces
      if pieces.count == 1, case .name(let name) = pieces[0] { segments[name] = index }
    }
    // A wildcard may match several segments, so the indices of the segments after it are unknown.
    return text.contains("**") ? [:] : segments
  }

  /// Adds the rule for the path, and returns an example path that matches it.
  func path(_ conditions: [String: Condition], _ match: inout MatchRules) throws(Unusable) -> String {
    var (template, example, pattern) = ("", "", "")
    var isTemplate = segments.count == pieces.count { if case .name = $0 { true } else { false } }
    for piece in pieces {
      switch piece {
      case .text(let text):
        template += text
        example += text
        pattern += TextPattern.escaped(text)
      case .anything:
        isTemplate = false
        example += "x"
        pattern += ".*?"
      case .name(let name):
        guard let condition = conditions[name] else {
          template += "{\(name)}"
          example += name.filter { $0.isLetter || $0.isNumber }
          pattern += "[^/]+"
          continue
        }
        let part = try Self.part(condition, "pathParameters.\(name)")
        if let literal = part.literal { template += literal } else { isTemplate = false }
        example += part.example ?? name
        pattern += part.pattern
      }
    }
    if isTemplate {
      if template.contains("{") { match.path = MatchRules.path(template) }
      return example
    }
    match.path = .condition(.all([.matches(try WireMockCondition.regex(pattern, "urlPathTemplate", ofTarget: true))]))
    return example
  }

  // MARK: Conditions

  /// The condition on a name as a pattern, and as literal text if the value has only one spelling.
  private struct Part {
    var literal: String?
    var pattern: String
    var example: String?
  }

  private static func part(_ condition: Condition, _ what: String) throws(Unusable) -> Part {
    guard case .all(let terms) = condition, terms.count == 1 else {
      throw Unusable("\(what): a path variable supports only one condition")
    }
    switch terms[0] {
    case .equals(let value):
      let isPlain = !value.utf8.contains { optional.contains($0) }
      let escaped = PercentEncoding.encode(value, keeping: plain)
      return Part(literal: isPlain ? escaped : nil, pattern: spellings(of: value), example: escaped)
    case .equalsIgnoringCase(let value):
      return Part(pattern: "(?i:\(spellings(of: value)))", example: PercentEncoding.encode(value))
    case .contains(let value):
      return Part(pattern: "[^/]*\(spellings(of: value))[^/]*", example: PercentEncoding.encode(value))
    case .matches(let pattern):
      // A segment is always matched as a whole, so the anchors are redundant.
      let source = pattern.source.trimmingPrefix("(?s)").trimmingPrefix("^")
      let plain = source.hasSuffix("$") && !source.hasSuffix("\\$") ? source.dropLast() : source
      return Part(pattern: "(?:\(plain))", example: pattern.sample)
    case .or(let conditions):
      var parts: [Part] = []
      for condition in conditions { parts.append(try part(condition, what)) }
      return Part(pattern: "(?:\(parts.map(\.pattern).joined(separator: "|")))", example: parts.first?.example)
    default:
      throw Unusable("\(what): a path variable supports only equality, contains and matches")
    }
  }

  /// The characters that clients may percent-encode in a path or not (RFC 3986 §3.3); `+` is not a space there.
  private static let optional = ByteSet(adding: "!$&'()*+,;=:@")
  private static let plain = PercentEncoding.unreserved.adding("!$&'()*+,;=:@")

  /// Returns a pattern that matches a value in a path, percent-encoded or not.
  private static func spellings(of value: String) -> String {
    var pattern = ""
    for byte in value.utf8 {
      let escape = PercentEncoding.encode([byte], keeping: ByteSet(adding: "")).dropFirst().map { digit -> String in
        let digit = String(decoding: [digit], as: UTF8.self)
        return digit.lowercased() == digit.uppercased() ? digit : "[\(digit)\(digit.lowercased())]"
      }.joined()
      let plain = TextPattern.escaped(String(decoding: [byte], as: UTF8.self))
      if PercentEncoding.unreserved.contains(byte) {
        pattern += plain
      } else if optional.contains(byte) {
        pattern += "(?:\(plain)|%\(escape))"
      } else {
        pattern += "%\(escape)"
      }
    }
    return pattern
  }
}
