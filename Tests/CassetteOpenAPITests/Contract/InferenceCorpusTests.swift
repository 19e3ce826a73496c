import CassetteFormats
import Cassettes
import Foundation
import Testing

@testable import CassetteOpenAPI

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// Specifications inferred from real recordings.
@Suite struct InferenceCorpusTests {
  private static func add(_ files: [String], to inference: inout SpecificationInference) throws -> [ContractExchange] {
    var exchanges: [ContractExchange] = []
    for file in files {
      var origin: String?
      // Unreadable recordings are tested with the importer.
      _ = try? RecordedExchanges.each(of: file) { (interaction, _, isCassette) throws(CassetteError) in
        guard interaction.failure == nil else { return }
        let exchange = try ContractExchange(interaction)
        if isCassette, origin == nil { origin = try CassetteFile.read(path: file).origin }
        inference.add(exchange, origin: RecordedTarget.origin(of: interaction.url) ?? origin)
        exchanges.append(exchange)
      }
    }
    return exchanges
  }

  @Test(arguments: ["articles", "github", "github-recordings", "swapi"])
  func `an included cassette meets the document inferred from it`(_ name: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../cassettes").standardized
      .path
    var inference = SpecificationInference()
    let exchanges = try Self.add(["\(root)/\(name).json"], to: &inference)
    #expect(!exchanges.isEmpty && inference.leftOut.isEmpty)
    let check = ContractCheck(try OpenAPIDocument(inference.document()))
    for exchange in exchanges {
      let errors = check.check(exchange).findings.filter { $0.severity == .error }
      #expect(errors == [], "\(exchange.method) \(exchange.target)")
    }
  }

  @Test(.enabled(if: corpora != nil, "CORPORA names no folder"))
  func `95 percent of the paths inferred from GitHub recordings equal those of GitHub's document`() throws {
    let root = corpora ?? ""
    let files = ["vcr/github3py", "vcr/octokitrb", "nock/octokit-fixtures"].flatMap { folder in
      let all = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
      return all.filter { $0.hasSuffix(".json") }.sorted().map { "\(root)/\(folder)/\($0)" }
    }
    var inference = SpecificationInference()
    let exchanges = try Self.add(files, to: &inference)
    let document = try OpenAPIDocument(inference.document())
    let (inferred, check) = (OperationRoutes(document.operations), ContractCheck(document))
    let own = OperationRoutes(
      try OpenAPIDocument(Array(Data(contentsOf: URL(filePath: "\(root)/openapi/github.json")))).operations)
    func form(_ path: String?) -> [String]? {
      path?.split(separator: "/", omittingEmptySubsequences: false).map { $0.contains("{") ? "{}" : String($0) }
    }
    var (known, equal, broken) = (0, 0, 0)
    for exchange in exchanges where exchange.target.hasPrefix("/") {
      let path = String(exchange.target.prefix { $0 != "?" })
      if check.check(exchange).isBroken { broken += 1 }
      guard let wanted = own.operation(exchange.method, path)?.operation.path else { continue }
      known += 1
      if form(wanted) == form(inferred.operation(exchange.method, path)?.operation.path) { equal += 1 }
    }
    print("templates equal to GitHub's: \(equal) of \(known) exchanges; \(broken) of \(exchanges.count) broken")
    #expect(broken == 0 && known > 800)
    #expect(equal * 100 >= known * 95)
  }
}
