internal import CassetteHTTP

/// The content codings that a client accepts, with its preferences (the `Accept-Encoding` field, RFC 9110 §12.5.3).
public struct AcceptedCodings: Hashable, Sendable {
  /// Weights in thousandths, keyed by lower-cased coding name.
  private var weights: [String: Int] = [:]

  /// Parses the values of all `Accept-Encoding` fields of a request.
  ///
  /// An unreadable weight counts as 1.
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

  /// Returns true if the client prefers a coding to the unencoded content, or likes both equally.
  ///
  /// - Parameter coding: The name of a coding, such as `gzip`, or a list such as `gzip, br`, of which every member must
  ///   be
  ///   acceptable.
  /// - Returns: False also if the fields mention neither the coding nor `*`.
  public func prefers(_ coding: String) -> Bool {
    if coding.utf8.contains(UInt8(ascii: ",")) { return ContentCoding.names(in: coding).allSatisfy(prefers) }
    guard let weight = weights[ContentCoding.canonical(coding)] ?? weights["*"], weight > 0 else { return false }
    return weight >= weights["identity"] ?? 0
  }
}
