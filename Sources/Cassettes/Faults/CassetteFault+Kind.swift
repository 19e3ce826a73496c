/// Faults by their names in a cassette.
extension CassetteFault {
  /// A fault that replaces or damages the answer.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The connection is reset before an answer is sent.
    case reset
    /// The connection is closed before an answer is sent.
    case empty
    /// The answer cannot be parsed as HTTP.
    case malformed
    /// No answer is sent.
    case timeout
    /// The body is cut in the middle.
    case truncate
    /// The body stops in the middle, and the connection stays open.
    case stall
    /// A chunk with an invalid size follows the middle of the body.
    case badChunk
    /// The answer consists of bytes that are not HTTP at all.
    case garbage
    /// No answer is sent, as with `timeout`.
    case never
  }

  /// Creates a fault from its name in a cassette.
  package init(_ kind: Kind, on path: String?, _ terms: FaultTerms) {
    let after = terms.after.map { max(0, $0) }
    self.init(
      kind.effect(after: after), kind.rawValue, [after.map { "after: \($0)" }], on: path, first: terms.first)
    apply(terms)
  }

  /// Adds the terms `every` and `probability` to the fault.
  package mutating func apply(_ terms: FaultTerms) {
    if let every = terms.every { self = self.every(every) }
    if let probability = terms.probability { self = self.probability(probability) }
  }

  /// The name of the fault in a cassette; nil for a status, a delay and a rate.
  package var kind: Kind? {
    switch effect {
    case .failure(let failure): Kind.allCases.first { $0.failure == failure } ?? .reset
    case .cut(_, let end): Kind.allCases.first { $0.cutEnd == end } ?? .truncate
    case .latency, .recordedLatency, .response, .rate: nil
    }
  }
}

extension CassetteFault.Kind {
  /// Returns the effect of the fault.
  ///
  /// - `after`: The number of bytes before a cut; nil for half of the body.
  fileprivate func effect(after: Int?) -> CassetteFault.Effect {
    switch self {
    case .reset: .failure(RecordedFailure(code: -1005))
    // URLSession reports -1011 for an empty reply on Linux, and -1017 for an invalid response on Apple platforms.
    case .empty: .failure(RecordedFailure(code: -1011))
    case .malformed: .failure(RecordedFailure(code: -1017))
    case .timeout, .never: .failure(RecordedFailure(code: -1001))
    case .garbage: .failure(.garbage)
    case .truncate: .cut(after: after, .reset)
    case .stall: .cut(after: after, .silence)
    case .badChunk: .cut(after: after, .badChunk)
    }
  }

  /// The failure of an exchange with this fault; nil if the fault only interrupts the body.
  package var failure: RecordedFailure? { if case .failure(let failure) = effect(after: nil) { failure } else { nil } }

  /// How the connection ends after a body that this fault cuts; nil if it does not cut the body.
  package var cutEnd: CassetteFault.CutEnd? { if case .cut(_, let end) = effect(after: nil) { end } else { nil } }
}
