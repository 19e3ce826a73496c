package import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// The specifications that a server uses for responses and for checks of exchanges.
package final class SpecificationSet: Sendable {
  private struct Loaded: Sendable {
    var files: [SpecificationFile] = []
    var specifications: [Specification] = []
    /// True if a file was read again.
    var isOther = false
  }

  /// The mode from the options.
  ///
  /// If it is nil, only requests that the specification responds to are checked.
  package let mode: MockServerContractMode?
  package let paths: [String]
  private let seed: UInt64
  private let loaded: Locked<Loaded>
  /// The findings about recorded responses, by the name of the recording and the operation.
  private let known = Locked<[String: [ContractFinding]]>([:])
  private let requests = Counter()

  /// Reads OpenAPI documents.
  ///
  /// - `paths`: The documents. The first one that has the path of a request responds to it.
  /// - `mode`: The treatment of violations; nil to check only requests that the specification responds to.
  /// - `seed`: The seed for random content. Default: 0.
  package init(_ paths: [String], mode: MockServerContractMode?, seed: UInt64?) throws(CassetteError) {
    (self.paths, self.mode, self.seed) = (paths, mode, seed ?? 0)
    loaded = Locked(try Self.load(paths, Loaded()))
  }

  private static func load(_ paths: [String], _ previous: Loaded) throws(CassetteError) -> Loaded {
    var loaded = Loaded()
    for (index, path) in paths.enumerated() {
      if previous.files.indices.contains(index), previous.files[index].isCurrent {
        loaded.files.append(previous.files[index])
        loaded.specifications.append(previous.specifications[index])
        continue
      }
      loaded.files.append(try SpecificationFile(path))
      loaded.specifications.append(Specification(loaded.files[index].document))
      loaded.isOther = true
    }
    return loaded
  }

  /// Reads changed documents again.
  ///
  /// Returns true if a document has changed. Throws the first error. The previous documents remain in use.
  package func reload() throws(CassetteError) -> Bool {
    let old = loaded.withLock { $0 }
    let new = try Self.load(paths, old)
    guard new.isOther else { return false }
    loaded.withLock { $0 = new }
    known.withLock { $0 = [:] }
    return true
  }

  /// The number of operations.
  package var operations: Int { specifications.reduce(0) { $0 + $1.check.document.operations.count } }

  /// True if recordings are checked against the specifications.
  package var holdsRecordings: Bool { mode == .fail || mode == .note }

  /// The paths of the specifications and of the files that they refer to.
  package var files: [String] { loaded.withLock { $0.files.flatMap { $0.files.map(\.path) } } }

  /// True if an answer may take long to generate; requests are then matched outside of the event loop.
  package var isHeavy: Bool { loaded.withLock { $0.specifications.contains(where: \.isHeavy) } }

  private var specifications: [Specification] { loaded.withLock { $0.specifications } }

  // MARK: Answers

  /// Returns a response from the first specification that has the operation, or nil if none has the path.
  package func answer(_ request: HTTPRequest) -> SpecificationAnswer? {
    let request = request.contentDecoded ?? request
    let number = UInt64(truncatingIfNeeded: requests.add(1))
    let settings = Specification.Settings(refuses: mode != .note && mode != .off, seed: seed &+ number)
    let all = specifications
    if let first = all.first(where: { $0.operation(of: request) != nil }) { return first.answer(request, settings) }
    return all.lazy.compactMap { $0.answer(request, settings) }.first
  }

  /// Returns the operations whose paths are most similar to the path of a request, such as `GET /pets/{id}`.
  package func nearestOperations(to request: HTTPRequest) -> [String] {
    let path = String(request.pathAndQuery.prefix { $0 != "?" })
    let near = specifications.flatMap { $0.check.routes.nearest(to: request.method.rawValue, path) }
    return near.sorted { $0.cost < $1.cost }.prefix(3).map(\.name)
  }

  /// Returns the refusal of a request that violates the contract, or nil if the request conforms or is not checked.
  package func refusal(of request: HTTPRequest) -> SpecificationAnswer? {
    guard mode == .fail, let specification = specification(of: request) else { return nil }
    let request = request.contentDecoded ?? request
    guard specification.findings(of: request)?.contains(where: { $0.severity == .error }) ?? false,
      let answer = specification.answer(request, Specification.Settings(seed: seed)), answer.isRefusal
    else { return nil }
    return answer
  }

  // MARK: Contract

  /// Returns the specification that has the operation of a request.
  private func specification(of request: HTTPRequest) -> Specification? {
    specifications.first { $0.operation(of: request) != nil }
  }

  /// Returns the errors of a request and of the recorded response to it.
  ///
  /// - `recording`: The recording with the response; nil to check the request only.
  /// - `name`: The name of the recording, under which the findings are cached; nil disables the cache.
  package func errors(of request: HTTPRequest, answeredBy recording: Interaction?, name: String?) -> [ContractFinding] {
    guard let specification = specification(of: request) else {
      return [ContractFinding(.error, "request", "no specification documents its method and path")]
    }
    let request = request.contentDecoded ?? request
    var findings = specification.findings(of: request) ?? []
    if let recording {
      let operation = specification.operation(of: request)?.operation
      let key = name.map { "\($0) \(operation?.method ?? "") \(operation?.path ?? "")" }
      if let key, let kept = known.withLock({ $0[key] }) {
        findings += kept
      } else {
        let found = specification.findings(ofAnswer: recording, to: request)
        if let key {
          known.withLock { known in
            if known.count > 100_000 { known = [:] }
            known[key] = found
          }
        }
        findings += found
      }
    }
    return findings.filter { $0.severity == .error }
  }

  /// Returns descriptions of the errors.
  package func breaches(of request: HTTPRequest, answeredBy recording: Interaction?) -> [String] {
    errors(of: request, answeredBy: recording, name: nil).map { "\($0.place): \($0.words)" }
  }
}

extension Specification {
  func operation(of request: HTTPRequest) -> OperationRoutes.Found? {
    operation(request.method.rawValue, String(request.pathAndQuery.prefix { $0 != "?" }))
  }

  /// Returns the violations of the contract by a request, or nil if the document does not have its operation.
  func findings(of request: HTTPRequest) -> [ContractFinding]? {
    guard let found = operation(of: request) else { return nil }
    return findings(of: exchange(request), found, request)
  }

  /// Returns the violations of the contract by a recorded response.
  func findings(ofAnswer recording: Interaction, to request: HTTPRequest) -> [ContractFinding] {
    guard let found = operation(of: request), var exchange = try? ContractExchange(recording) else { return [] }
    (exchange.method, exchange.target) = (request.method.rawValue, request.pathAndQuery)
    return check.check(exchange, as: found).findings.filter { $0.place.hasPrefix("response") }
  }
}

/// The treatment of requests and recordings that violate a specification.
public enum MockServerContractMode: String, Sendable, CaseIterable {
  /// Requests that violate the contract are refused, and violations by recordings are reported.
  case fail
  /// Violations are reported in the response, the log and the journal, without other effects.
  case note
  /// Exchanges are not checked.
  ///
  /// The specification only responds to requests without a recording.
  case off
}
