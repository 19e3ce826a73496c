internal import CassetteHTTP
internal import Cassettes

/// How an answer is derived from a recording of a different request.
package enum Derivation: Equatable, Sendable {
  /// The answer to a `HEAD` request, from a recorded `GET` (RFC 9110 §9.3.2).
  case head
  /// The answer 304, because the client already has the content (RFC 9110 §15.4.5).
  case notModified
  /// A part of the body, if its length permits (RFC 9110 §14).
  case range(String)

  /// Returns the derivation for a conditional or partial request; nil if the recording is played unchanged.
  static func of(_ request: HTTPRequest, from interaction: Interaction) -> Derivation? {
    guard request.headers.contains(where: { PreconditionField.isNamed($0.name) }),
      request.method == .get || request.method == .head,
      interaction.method == .get || interaction.method == .head,
      let response = interaction.response, response.status == 200
    else { return nil }
    let asked = interaction.requestHeaders
    // A recording of a conditional request already contains the origin's answer to the condition.
    if !asked.contains("If-None-Match"), !asked.contains("If-Modified-Since"), isCurrent(request, response.headers) {
      return .notModified
    }
    guard request.method == .get, let range = request.headers["Range"], !asked.contains("Range"),
      response.headers["Accept-Ranges"]?.lowercased() != "none", rangeStillHolds(request, response.headers)
    else { return nil }
    return .range(range)
  }

  /// Returns true if the condition finds the client's copy current (RFC 9110 §13.1.2, §13.1.3); `If-None-Match` takes
  /// precedence.
  private static func isCurrent(_ request: HTTPRequest, _ recorded: HTTPHeaders) -> Bool {
    let wanted = request.headers.values(of: "If-None-Match")
    if !wanted.isEmpty {
      let tag = recorded["ETag"].map { opaque($0) }
      return wanted.flatMap { entityTags($0) }.contains { $0 == "*" || !$0.isEmpty && opaque($0) == tag }
    }
    guard let since = request.headers["If-Modified-Since"].flatMap({ HTTPDate.parse($0) }),
      let modified = recorded["Last-Modified"].flatMap({ HTTPDate.parse($0) })
    else { return false }
    return modified <= since
  }

  /// Returns true if `If-Range` permits a partial answer: only a strong tag or an identical date does (RFC 9110
  /// §13.1.5).
  private static func rangeStillHolds(_ request: HTTPRequest, _ recorded: HTTPHeaders) -> Bool {
    guard let condition = request.headers["If-Range"] else { return true }
    if condition.hasPrefix("\"") { return condition == recorded["ETag"] }
    return !condition.hasPrefix("W/") && condition == recorded["Last-Modified"]
  }

  /// Returns the members of a list of entity tags; a quoted tag may contain a comma.
  private static func entityTags(_ list: String) -> [String] {
    var tags: [String] = []
    var current = ""
    var quoted = false
    for character in list {
      if character == "\"" { quoted.toggle() }
      if character == ",", !quoted {
        tags.append(current)
        current = ""
      } else if quoted || !character.isWhitespace {
        current.append(character)
      }
    }
    return tags + [current]
  }

  /// Returns a tag without its weakness prefix, which weak comparison ignores (RFC 9110 §8.8.3.2).
  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

  /// Returns a generated answer to `OPTIONS` for a recorded resource; the server adds the CORS fields.
  static func options(_ request: HTTPRequest, in contexts: [Matcher.Context]) -> HTTPResponse? {
    let target = request.pathAndQuery
    var allowed: [String] = []
    for context in contexts {
      let table = context.table
      if target == "*" {
        allowed += table.methods.map(\.rawValue)
        allowed += table.resources.flatMap { $0.definition.methods(at: nil) ?? [] }.map(\.rawValue)
      } else {
        let isThere = { (entry: Int) in Matcher.mayComeFrom(request, entry, in: context) }
        let methods = table.methods.filter { table.answers(method: $0, pathAndQuery: target, where: isThere) }
        allowed += methods.map(\.rawValue)
        if let resource = table.resource(for: request, knowsOrigins: context.knowsOrigins)?.definition {
          allowed += (resource.methods(at: request.target.path) ?? []).map(\.rawValue)
        }
      }
    }
    allowed = Set(allowed).sorted()
    guard target == "*" || !allowed.isEmpty else { return nil }
    if allowed.contains("GET"), !allowed.contains("HEAD") { allowed.append("HEAD") }
    if !allowed.contains("OPTIONS") { allowed.append("OPTIONS") }
    return HTTPResponse(status: 204, headers: [("Allow", allowed.sorted().joined(separator: ", "))])
  }
}
