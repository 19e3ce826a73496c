import Foundation
import Testing

@testable import CassetteOpenAPI

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// The cases of Prism's test harness, in the folder named by `CORPORA`.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder")) struct `Cases of Prism` {
  /// The cases with a different response here, and the reason.
  private static let others: [String: String] = [
    "violations/array-prefix-items.httpResponse.txt": "an example that breaks its own schema is not served",
    "violations/combined-request-response.txt": "an example that breaks its own schema is not served",
    "violations/print-as-http-header.txt": "an example that breaks its own schema is not served",
    "violations/value-not-in-enum.httpResponse.txt": "an example that breaks its own schema is not served",
    "head-requests/head_requests-AC-2.oas3.txt": "a HEAD is answered where a GET is (RFC 9110 §9.3.2)",
  ]

  @Test func `nine of ten cases are answered like Prism, and the others differ for a listed reason`() throws {
    let folder = try #require(corpora).appending("/prism")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      $0.contains("/") && ($0.hasSuffix(".txt") || $0.hasSuffix(".text"))
    }
    try #require(names.count > 50)
    var differences: [String: String] = [:]
    for name in names {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let prism = try #require(PrismCase(text))
      let request = try #require(prism.request)
      let specification = Specification(try OpenAPIDocument(Array(prism.document.utf8)))
      let answer = specification.answer(request, Specification.Settings())
      if let difference = prism.difference(from: answer?.response) { differences[name] = difference }
    }
    for (name, difference) in differences where Self.others[name] == nil {
      Issue.record("\(name): \(difference)")
    }
    #expect(differences.count * 10 <= names.count)
  }
}
