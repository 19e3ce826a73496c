internal import CassetteHTTP

/// The content codings a client takes, and which of them it likes better (RFC 9110 §12.5.3).
public struct AcceptedCodings: Hashable, Sendable {
  /// Weights in thousandths, by names in lower case.
  private var weights: [String: Int] = [:]

  /// Reads the values of `Accept-Encoding` fields, of which none takes content as it is; an unreadable weight is 1.
  public init(_ values: some Sequence<String>) {
    for value in values {
      for member in value.split(separator: ",") {
        let parts = member.split(separator: ";").map { ASCII.trimmingBlanks($0) }
        guard let name = parts.first, !name.isEmpty else { continue }
        var weight = 1_000
        for parameter in parts.dropFirst() where parameter.lowercased().hasPrefix("q=") {
          weight = Double(parameter.dropFirst(2)).map { Int(max(0, min($0, 1)) * 1_000) } ?? 1_000
        }
        weights[ContentCoding.canonical(name)] = weight
      }
    }
  }

  /// Tells whether content is welcome in a coding, at least as much as without one.
  ///
  /// - Parameter coding: The coding's name: `gzip`; of several, as in `gzip, br`, each has to be.
  /// - Returns: False also when nothing is said of it.
  public func prefers(_ coding: String) -> Bool {
    if coding.utf8.contains(UInt8(ascii: ",")) { return ContentCoding.names(in: coding).allSatisfy(prefers) }
    guard let weight = weights[ContentCoding.canonical(coding)] ?? weights["*"], weight > 0 else { return false }
    return weight >= weights["identity"] ?? 0
  }
}
