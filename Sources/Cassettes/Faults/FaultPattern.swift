package import CassetteHTTP
internal import CassettePatterns

/// A pattern that selects the requests a fault applies to: `/user`, `POST /users/{name}`, `/files/*`.
package struct FaultPattern: Sendable {
  private let method: String?
  private let hasQuery: Bool
  private let target: TextPattern?
  /// The source of the pattern.
  package let text: String

  init(_ text: String) {
    self.text = text
    var target = text[...]
    if let space = text.firstIndex(of: " ") {
      method = HTTPMethod(ignoringCase: String(text[..<space])).rawValue
      target = text[text.index(after: space)...].drop { $0 == " " }
    } else {
      method = nil
    }
    // The origin of an absolute URL is ignored: a player only has the recorded origin.
    if let scheme = target.firstRange(of: "://") {
      target = target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    }
    if !target.hasPrefix("/"), !target.hasPrefix("*"), !target.isEmpty { target = "/" + target }
    hasQuery = target.contains("?")
    var pattern = TextPattern.escaped(CanonicalTarget.spelling(of: target.isEmpty ? "/" : String(target)))
    if target.contains("*") || target.contains("{") {
      // A name in braces matches a segment that is not empty; an asterisk matches anything, including nothing.
      let segments = target.split(separator: "/", omittingEmptySubsequences: false).map { segment in
        if segment.count > 2, segment.hasPrefix("{"), segment.hasSuffix("}") { return "[^/?]+" }
        let texts = segment.split(separator: "*", omittingEmptySubsequences: false)
        return texts.map { TextPattern.escaped(String($0)) }.joined(separator: ".*")
      }
      pattern = "(?s)" + segments.joined(separator: "/")
    }
    self.target = try? TextPattern(pattern)
  }

  package func matches(_ request: HTTPRequest) -> Bool {
    if let method, method != request.method.rawValue { return false }
    let sent = request.pathAndQuery
    return target?.matches(CanonicalTarget.spelling(of: hasQuery ? sent : String(sent.prefix { $0 != "?" }))) ?? false
  }
}
