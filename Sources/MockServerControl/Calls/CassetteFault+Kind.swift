internal import Cassettes

/// Faults by their names in a cassette.
extension CassetteFault {
  /// Creates a fault from its name in a cassette.
  init(_ kind: ReplayRules.Fault, on path: String?, _ terms: FaultTerms) {
    let (first, after) = (terms.first, terms.after)
    switch kind {
    case .reset: self = .reset(on: path, first: first)
    case .empty: self = .empty(on: path, first: first)
    case .malformed: self = .malformed(on: path, first: first)
    case .timeout: self = .timeout(on: path, first: first)
    case .never: self = .never(on: path, first: first)
    case .garbage: self = .garbage(on: path, first: first)
    case .truncate: self = .truncate(on: path, after: after, first: first)
    case .stall: self = .stall(on: path, after: after, first: first)
    case .badChunk: self = .badChunk(on: path, after: after, first: first)
    }
    apply(terms)
  }

  /// Adds the terms `every` and `probability` to the fault.
  mutating func apply(_ terms: FaultTerms) {
    if let every = terms.every { self = self.every(every) }
    if let probability = terms.probability { self = self.probability(probability) }
  }

  /// The name of the fault in a cassette; nil for a status, a delay and a rate.
  var kind: ReplayRules.Fault? {
    switch effect {
    case .failure(.garbage): .garbage
    case .failure(let failure):
      switch failure.code {
      case -1001: .timeout
      case -1011: .empty
      case -1017: .malformed
      default: .reset
      }
    case .cut(_, .reset), .cut(_, .close): .truncate
    case .cut(_, .silence): .stall
    case .cut(_, .badChunk): .badChunk
    case .latency, .recordedLatency, .response, .rate: nil
    }
  }
}
