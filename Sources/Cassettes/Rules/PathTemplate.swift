/// A path with names in braces, each of which matches one segment: `/users/{name}/repos`.
package struct PathTemplate: Sendable, Hashable {
  private enum Segment: Hashable {
    case literal(Substring)
    case name(Substring)
  }

  package let text: String
  private let segments: [Segment]

  /// Parses a template; returns nil if the path has no names.
  package init?(_ path: String) {
    var named = false
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> Segment in
      guard segment.count > 2, segment.hasPrefix("{"), segment.hasSuffix("}") else { return .literal(segment) }
      named = true
      return .name(segment.dropFirst().dropLast())
    }
    guard named else { return nil }
    text = path
    self.segments = segments
  }

  /// The template in canonical spelling, without needless escapes and with all non-ASCII characters escaped.
  package var canonical: PathTemplate {
    text.utf8.contains { $0 == UInt8(ascii: "%") || $0 >= 128 }
      ? PathTemplate(CanonicalTarget.spelling(of: text)) ?? self : self
  }

  /// The number of literal segments; of two templates that match, the one with more literal segments is preferred.
  package var literals: Int { segments.count { if case .literal = $0 { true } else { false } } }

  /// The literal segments in order; nil for each name.
  package var pattern: [Substring?] {
    segments.map { if case .literal(let text) = $0 { text } else { nil } }
  }

  /// Returns the segments of a path that match the names; an empty dictionary if the path does not match.
  package func values(in path: String) -> [String: String] {
    guard matches(path) else { return [:] }
    var values: [String: String] = [:]
    for (part, segment) in zip(path.split(separator: "/", omittingEmptySubsequences: false), segments) {
      if case .name(let name) = segment { values[String(name)] = String(part) }
    }
    return values
  }

  /// Returns true if a path has the literal segments and a nonempty segment for each name.
  package func matches(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == segments.count else { return false }
    return zip(parts, segments).allSatisfy { part, segment in
      switch segment {
      case .literal(let text): part == text
      case .name: !part.isEmpty
      }
    }
  }
}
