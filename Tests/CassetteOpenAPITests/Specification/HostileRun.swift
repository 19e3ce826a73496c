import CassetteHTTP
import Cassettes

@testable import CassetteOpenAPI

/// Sends requests for all operations of a specification.
enum HostileRun {
  /// Returns the responses that break their own document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - value: A body that is sent and checked as a response.
  /// - Returns: A line for each wrong response.
  static func failures(of document: OpenAPIDocument, value: [UInt8]) -> [String] {
    let specification = Specification(document)
    let check = ContractCheck(document)
    var failures: [String] = []
    for operation in document.operations.prefix(50) {
      guard let target = HTTPTarget((operation.bases.first ?? "") + operation.path + "?q=1") else { continue }
      for preference in ["", "dynamic=true", "code=404"] {
        for type in ["application/json", "application/xml", "text/csv"] {
          let request = HTTPRequest(
            method: HTTPMethod(operation.method), target: target,
            headers: ["Prefer": preference, "Accept": type, "Content-Type": "application/json"], body: value)
          for refuses in [true, false] {
            let settings = Specification.Settings(refuses: refuses)
            guard let answer = specification.answer(request, settings), !refuses else { continue }
            guard answer.response.headers["Content-Type"] != "application/problem+json" else { continue }
            let found = check.check(
              ContractExchange(
                method: operation.method, target: request.pathAndQuery, status: answer.response.status.code,
                headers: answer.response.headers, body: answer.response.body))
            let errors = found.findings.filter { $0.severity == .error && $0.place.hasPrefix("response") }
            if let error = errors.first, found.operation?.name == answer.operation {
              failures.append("\(preference) \(type): \(error.place): \(error.words)")
            }
          }
        }
      }
      let recorded = ContractExchange(
        method: operation.method, target: (operation.bases.first ?? "") + operation.path, status: 200,
        headers: ["Content-Type": "application/json"], body: value)
      if check.check(recorded).findings.contains(where: \.words.isEmpty) { failures.append("a finding has no message") }
    }
    return failures
  }
}
