internal import CassetteHTTP
internal import Cassettes

/// A filter for requests in the journal.
struct JournalFilter: Sendable {
  private let session: String?
  private let method: String?
  private let path: String?
  private let template: PathTemplate?
  private let status: String?
  private let outcome: String?
  private let body: String?

  static let parameters: [ControlField] = [
    .init("session", .string, "Only requests of this session; empty for requests without a session."),
    .init("method", .string, "Only requests with this method."),
    .init("path", .string, "Only requests with this path and any query; a name in braces matches any segment."),
    .init("status", .string, "Only requests whose response has this status: 404, or 4xx."),
    .init("outcome", .string, "Only requests with this outcome: \(JournalRecord.outcomes.joined(separator: ", "))."),
    .init("body", .string, "Only requests whose body contains this string."),
  ]

  init(_ call: ControlCall) throws(ControlRefusal) {
    // The `X-Mock-Session` field is ignored here, because the reader of the journal names the session in the query.
    session = call["session"]
    method = call["method"]
    path = call["path"].map { CanonicalTarget.spelling(of: $0) }
    template = call["path"].flatMap { PathTemplate($0)?.canonical }
    status = call["status"]?.lowercased()
    outcome = call["outcome"]
    body = call["body"]
    if let status {
      let isClass = status.utf8.count == 3 && status.hasSuffix("xx") && "12345".contains(status.prefix(1))
      guard isClass || Int(status).map({ (100...999).contains($0) }) == true else {
        throw ControlRefusal(400, "\"status\" must be a status such as 404 or 4xx, not \"\(status)\"")
      }
    }
    if let outcome, !JournalRecord.outcomes.contains(outcome) {
      throw ControlRefusal(
        400, "unknown outcome \"\(outcome)\"\(ControlCall.hint(outcome, JournalRecord.outcomes))")
    }
  }

  /// Returns true if a request matches the filter.
  func accepts(_ record: JournalRecord) -> Bool {
    if let session, session != record.session { return false }
    if let method, method != record.request?.method.rawValue { return false }
    if let outcome, outcome != record.outcome { return false }
    if let status {
      let text = "\(record.entry.status)"
      guard status.hasSuffix("xx") ? text.prefix(1) == status.prefix(1) && text.utf8.count == 3 : text == status else {
        return false
      }
    }
    if let path {
      let asked = CanonicalTarget.spelling(of: String((record.request?.pathAndQuery ?? "").prefix { $0 != "?" }))
      guard template?.matches(asked) ?? (asked == path) else { return false }
    }
    if let body { return String(decoding: record.entry.body, as: UTF8.self).contains(body) }
    return true
  }
}
