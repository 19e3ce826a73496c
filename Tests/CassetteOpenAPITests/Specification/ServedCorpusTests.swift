import CassetteHTTP
import CassetteJSON
import Foundation
import Testing

@testable import CassetteOpenAPI

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// Every operation of real specifications, in the folder named by `CORPORA`.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder")) struct `Served specifications` {
  private static var files: [String] {
    guard let corpora else { return [] }
    let folder = "\(corpora)/openapi"
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Returns a target of an operation with valid values of its path parameters.
  private func target(_ operation: OpenAPIOperation, _ document: OpenAPIDocument) throws -> String {
    var path = (operation.bases.first ?? "") + operation.path
    for parameter in operation.parameters where parameter.location == .path {
      var maker = ValueMaker(document.schemas)
      var value = "1"
      if let schema = parameter.schema, case .made(let json) = maker.value(at: schema), let tree = JSONTree(json) {
        value = OpenAPINodes(tree).text(tree.root) ?? String(decoding: json, as: UTF8.self)
      }
      path = path.replacing("{\(parameter.name)}", with: value.filter { $0.isLetter || $0.isNumber || $0 == "-" })
    }
    return path
  }

  @Test(arguments: files) func `each response of a specification meets its document`(file: String) throws {
    let document = try OpenAPIDocument(Array(try Data(contentsOf: URL(filePath: file))))
    let specification = Specification(document)
    let check = ContractCheck(document)
    for operation in document.operations {
      let target = try target(operation, document)
      for response in operation.responses {
        let code = Int(response.status) ?? (response.status == "default" ? 299 : 400)
        guard code >= 200 else { continue }
        for preference in ["code=\(code)", "code=\(code), dynamic=true"] {
          for type in response.content.isEmpty ? ["*/*"] : response.content.map(\.range) {
            let request = HTTPRequest(
              method: HTTPMethod(operation.method), target: try #require(HTTPTarget(target)),
              headers: ["Prefer": preference, "Accept": type])
            let answer = try #require(
              specification.answer(request, Specification.Settings(refuses: false)), "\(operation.name)")
            // Another operation with a more specific path may answer.
            guard answer.operation == operation.name else { continue }
            #expect(answer.response.status.code == code, "\(operation.name) \(preference) \(type)")
            let findings = check.check(
              ContractExchange(
                method: operation.method, target: target, status: code, headers: answer.response.headers,
                body: answer.response.body)
            ).findings.filter { $0.place.hasPrefix("response") && $0.severity == .error }
            #expect(findings.isEmpty, "\(operation.name) \(preference) \(type) \(findings.first?.words ?? "")")
          }
        }
      }
    }
  }
}
