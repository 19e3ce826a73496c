package import CassetteHTTP
internal import CassetteJSON

/// A response of a specification, with its operation.
package struct SpecificationAnswer: Sendable {
  package var response: HTTPResponse
  /// The `operationId`, or the method and the path in the document.
  package var operation: String
  /// The violations of the contract by the request.
  package var findings: [ContractFinding] = []
  /// True if the request was refused; the response contains the reason.
  var isRefusal = false

  /// The header field that marks responses that were not recorded.
  static let sourceField = "Mockserver-Source"
  /// The header field that lists violations of the contract.
  package static let contractField = "Mockserver-Contract"

  init(_ response: HTTPResponse, _ operation: String, _ findings: [ContractFinding] = [], isRefusal: Bool = false) {
    (self.response, self.operation, self.findings, self.isRefusal) = (response, operation, findings, isRefusal)
    self.response.headers.append(Self.sourceField, Self.fieldText("spec \(operation)"))
    if let note = Self.note(findings) { self.response.headers.append(Self.contractField, note) }
  }

  /// Returns the errors and the parts that were not checked as the value of a header field, or nil if there are none.
  package static func note(_ findings: [ContractFinding]) -> String? {
    let errors = findings.filter { $0.severity == .error || $0.isUnchecked }
    guard !errors.isEmpty else { return nil }
    return fieldText(errors.prefix(4).map { "\($0.place): \($0.words)" }.joined(separator: "; "))
  }

  /// Replaces characters that are not allowed in a header field (RFC 9110 §5.5), and truncates the text.
  private static func fieldText(_ text: String) -> String {
    let bytes = text.utf8.prefix(400).map { $0 < 0x20 || $0 > 0x7e ? UInt8(ascii: "?") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Creates problem documents (RFC 9457).
enum SpecificationProblem {
  /// Returns a problem document about an operation, with the violations of the contract.
  static func response(
    _ status: HTTPStatus, _ detail: String, operation: String, _ findings: [ContractFinding] = [],
    headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    let json = JSONWriter.object { json in
      json.member("type", "about:blank")
      json.member("title", status.standardPhrase ?? "Problem")
      json.member("status", status.code)
      json.member("detail", detail)
      json.member("operation", operation)
      guard !findings.isEmpty else { return }
      json.array("errors", of: findings) { write($0, &$1) }
    }
    var fields: HTTPHeaders = [("Content-Type", "application/problem+json")]
    for field in headers { fields.append(field) }
    return HTTPResponse(status: status, headers: fields, body: json + [10])
  }

  private static func write(_ finding: ContractFinding, _ item: inout JSONWriter) {
    let parts = finding.place.split(separator: " ", maxSplits: 1).map(String.init)
    if finding.place.hasPrefix("request body") {
      item.member("in", "body")
      item.member("pointer", finding.pointer ?? "")
    } else {
      item.member("in", parts.first ?? "request")
      if parts.count > 1 {
        // The location within the value may follow the parameter's name.
        item.member("name", parts[1].split(separator: " ").first.map(String.init) ?? parts[1])
      }
      if let pointer = finding.pointer { item.member("pointer", pointer) }
    }
    item.member("detail", finding.words)
    if let rule = finding.rule { item.member("rule", rule) }
  }

  /// Returns the first error as a sentence, with the number of further errors.
  static func detail(_ findings: [ContractFinding]) -> String {
    let first = findings.first.map { "\($0.place): \($0.words)" } ?? ""
    return findings.count > 1 ? "\(first), and \(findings.count - 1) more" : first
  }
}

/// The media ranges of an `Accept` field, for content negotiation (RFC 9110 §12.5.1).
package struct AcceptedTypes: Sendable {
  private struct Range {
    var media: MediaType
    var weight: Int
    var order: Int

    /// The specificity of the range; the most specific range that matches a type applies.
    var rank: Int {
      if media.type == "*" { return 0 }
      if media.subtype == "*" { return 1 }
      return media.parameters.isEmpty ? 2 : 3
    }

    func matches(_ other: MediaType) -> Bool {
      (media.type == "*" || media.type == other.type || other.type == "*")
        && (media.subtype == "*" || media.subtype == other.subtype || other.subtype == "*")
        && media.parameters.allSatisfy { wanted in other.parameter(wanted.name).map { $0 == wanted.value } ?? true }
    }
  }

  private var ranges: [Range] = []

  /// Parses the values of `Accept` fields; without values, every media type is accepted.
  init(_ values: [String]) {
    for member in values.flatMap({ $0.split(separator: ",") }) {
      // Some clients send `*` instead of `*/*`.
      let text =
        member.trimmingPrefix(" ").hasPrefix("*;") || member.trimmingPrefix(" ") == "*" ? "*/*" : String(member)
      guard var media = MediaType(text) else { continue }
      var weight = 1_000
      if let index = media.parameters.firstIndex(where: { $0.name == "q" }) {
        weight = Double(media.parameters[index].value).map { Int(max(0, min($0, 1)) * 1_000) } ?? 1_000
        // Parameters after the weight are extensions, and not part of the media type.
        media.parameters.removeSubrange(index...)
      }
      ranges.append(Range(media: media, weight: weight, order: ranges.count))
    }
  }

  /// Chooses the preferred media type or range.
  ///
  /// Returns the index of the chosen one, and a concrete type that matches it, or nil if none is acceptable.
  func choice(of offered: [String]) -> (index: Int, type: String)? {
    let known = offered.enumerated().compactMap { entry in MediaType(entry.element).map { (entry.offset, $0) } }
    guard !ranges.isEmpty else { return known.first.map { ($0.0, Self.concrete($0.1, nil)) } }
    var best: (index: Int, type: String, weight: Int, order: Int)?
    for (index, media) in known {
      // The most specific range determines the weight.
      let matching = ranges.filter { $0.matches(media) }
      guard let range = matching.max(by: { ($0.rank, $1.order) < ($1.rank, $0.order) }), range.weight > 0 else {
        continue
      }
      if let best, (best.weight, -best.order) >= (range.weight, -range.order) { continue }
      best = (index, Self.concrete(media, range.media), range.weight, range.order)
    }
    return best.map { ($0.index, $0.type) }
  }

  /// Returns a concrete type for a documented type or range.
  private static func concrete(_ media: MediaType, _ wanted: MediaType?) -> String {
    guard media.type == "*" || media.subtype == "*" else { return media.description }
    if let wanted, wanted.type != "*", wanted.subtype != "*" { return "\(wanted.type)/\(wanted.subtype)" }
    return switch media.type {
    case "text": "text/plain"
    case "image": "image/png"
    case "audio": "audio/mpeg"
    case "video": "video/mp4"
    default: "application/json"
    }
  }
}

/// The documented response that a request prefers: `Prefer: code=404, example=cat, dynamic=true` (RFC 7240).
package struct ResponsePreference: Hashable, Sendable {
  /// The preferred status code.
  var code: Int?
  /// The name of the preferred example.
  var example: String?
  /// True to generate the content at random.
  var isDynamic: Bool?

  /// Parses the values of `Prefer` fields; of several preferences with the same name, the first counts (RFC 7240 §2).
  init(_ values: [String]) {
    for item in values.flatMap({ $0.split { $0 == "," || $0 == ";" } }) {
      let parts = item.split(separator: "=", maxSplits: 1).map { part in
        part.drop { $0 == " " || $0 == "\t" || $0 == "\"" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\"" }
      }
      guard let first = parts.first else { continue }
      let name = String(first.reversed()).lowercased()
      let value = parts.count > 1 ? String(parts[1].reversed()) : ""
      switch name {
      case "code": if code == nil { code = Int(value) }
      case "example": if example == nil { example = value }
      case "dynamic": if isDynamic == nil { isDynamic = value != "false" }
      default: continue
      }
    }
  }

  /// The value of a `Preference-Applied` field; nil if there are no preferences.
  var applied: String? {
    var parts: [String] = []
    if let code { parts.append("code=\(code)") }
    if let example, example.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x2c }) {
      parts.append("example=\(example)")
    }
    if let isDynamic { parts.append("dynamic=\(isDynamic)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
