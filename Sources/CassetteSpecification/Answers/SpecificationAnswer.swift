package import CassetteContract
package import CassetteHTTP
internal import CassetteJSON

/// An answer of a specification, and the operation it is of.
package struct SpecificationAnswer: Sendable {
  package var response: HTTPResponse
  /// The `operationId`, or the method and the path of the document.
  package var operation: String
  /// The ways in which the request breaks the contract.
  package var findings: [ContractFinding] = []
  /// True if the request was refused: the answer says why.
  package var isRefusal = false

  /// The field that tells that nothing of this was recorded.
  package static let sourceField = "Mockserver-Source"
  /// The field that names what breaks the contract.
  package static let contractField = "Mockserver-Contract"

  init(_ response: HTTPResponse, _ operation: String, _ findings: [ContractFinding] = [], isRefusal: Bool = false) {
    (self.response, self.operation, self.findings, self.isRefusal) = (response, operation, findings, isRefusal)
    self.response.headers.append(Self.sourceField, Self.fieldText("spec \(operation)"))
    if let note = Self.note(findings) { self.response.headers.append(Self.contractField, note) }
  }

  /// Writes findings as a field's value; nil when none is an error.
  package static func note(_ findings: [ContractFinding]) -> String? {
    let errors = findings.filter { $0.severity == .error }
    guard !errors.isEmpty else { return nil }
    return fieldText(errors.prefix(4).map { "\($0.place): \($0.words)" }.joined(separator: "; "))
  }

  /// A text without what a field must not have (RFC 9110 §5.5).
  private static func fieldText(_ text: String) -> String {
    let bytes = text.utf8.prefix(400).map { $0 < 0x20 || $0 > 0x7e ? UInt8(ascii: "?") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Documents that say what is wrong (RFC 9457).
enum SpecificationProblem {
  /// A problem document about an operation, with what breaks the contract and where.
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
        // Behind a parameter's name stands the place in its value.
        item.member("name", parts[1].split(separator: " ").first.map(String.init) ?? parts[1])
      }
      if let pointer = finding.pointer { item.member("pointer", pointer) }
    }
    item.member("detail", finding.words)
    if let rule = finding.rule { item.member("rule", rule) }
  }

  /// The mistake in a request, in a sentence.
  static func detail(_ findings: [ContractFinding]) -> String {
    let first = findings.first.map { "\($0.place): \($0.words)" } ?? ""
    return findings.count > 1 ? "\(first), and \(findings.count - 1) more" : first
  }
}
