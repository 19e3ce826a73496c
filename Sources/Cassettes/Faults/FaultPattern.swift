package import CassetteHTTP

/// A pattern of the requests that a fault is for: `/user`, `POST /users/{name}`, `/files/*`.
package struct FaultPattern: Sendable {
  private enum Token: Sendable, Equatable {
    case byte(UInt8)
    /// One segment, not empty.
    case segment
    /// Anything, nothing too.
    case anything
  }

  private let method: String?
  private let hasQuery: Bool
  private let tokens: [Token]
  /// As it was written.
  package let text: String

  init(_ text: String) {
    self.text = text
    var target = text[...]
    if let space = text.firstIndex(of: " ") {
      method = String(text[..<space])
      target = text[text.index(after: space)...].drop { $0 == " " }
    } else {
      method = nil
    }
    // The origin of a whole URL plays no part: a player has no other than the recorded one.
    if let scheme = target.firstRange(of: "://") {
      target = target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    }
    if !target.hasPrefix("/"), !target.hasPrefix("*"), !target.isEmpty { target = "/" + target }
    hasQuery = target.contains("?")
    if target.contains("*") || target.contains("{") {
      tokens = Self.tokens(of: target)
    } else {
      tokens = CanonicalTarget.spelling(of: target.isEmpty ? "/" : String(target)).utf8.map { .byte($0) }
    }
  }

  private static func tokens(of target: Substring) -> [Token] {
    var tokens: [Token] = []
    for (number, segment) in target.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
      if number > 0 { tokens.append(.byte(UInt8(ascii: "/"))) }
      if segment.count > 2, segment.hasPrefix("{"), segment.hasSuffix("}") {
        tokens.append(.segment)
      } else {
        tokens += segment.utf8.map { $0 == UInt8(ascii: "*") ? .anything : .byte($0) }
      }
    }
    return tokens
  }

  package func matches(_ request: HTTPRequest) -> Bool {
    if let method, method != request.method.rawValue { return false }
    let target = request.pathAndQuery
    return matches(CanonicalTarget.spelling(of: hasQuery ? target : String(target.prefix { $0 != "?" })))
  }

  /// Tells if a target in its canonical spelling fits: a step back to the last asterisk is all that is ever needed.
  private func matches(_ target: String) -> Bool {
    let bytes = Array(target.utf8)
    var (at, token) = (0, 0)
    var retry: (at: Int, token: Int)?
    while at < bytes.count || token < tokens.count {
      if token < tokens.count {
        if tokens[token] == .anything {
          retry = (at, token)
          token += 1
          continue
        }
        if let length = length(of: tokens[token], in: bytes, at: at) {
          at += length
          token += 1
          continue
        }
      }
      guard let last = retry, last.at < bytes.count else { return false }
      retry = (last.at + 1, last.token)
      (at, token) = (last.at + 1, last.token + 1)
    }
    return true
  }

  private func length(of token: Token, in bytes: [UInt8], at: Int) -> Int? {
    switch token {
    case .byte(let byte): return at < bytes.count && bytes[at] == byte ? 1 : nil
    case .segment:
      let length = bytes[at...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }.count
      return length > 0 ? length : nil
    case .anything: return 0
    }
  }
}
