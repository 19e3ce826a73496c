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
  package var isRefusal = false

  /// The header field that marks responses that were not recorded.
  package static let sourceField = "Mockserver-Source"
  /// The header field that lists violations of the contract.
  package static let contractField = "Mockserver-Contract"

  init(_ response: HTTPResponse, _ operation: String, _ findings: [ContractFinding] = [], isRefusal: Bool = false) {
    (self.response, self.operation, self.findings, self.isRefusal) = (response, operation, findings, isRefusal)
    self.response.headers.append(Self.sourceField, Self.fieldText("spec \(operation)"))
    if let note = Self.note(findings) { self.response.headers.append(Self.contractField, note) }
  }

  /// Returns the errors as the value of a header field, or nil if there are none.
  package static func note(_ findings: [ContractFinding]) -> String? {
    let errors = findings.filter { $0.severity == .error }
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
