#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Instants as ISO 8601 writes them.
package enum Timestamp {
  /// `2026-11-21T01:00:00.123Z`.
  ///
  /// - Parameter nanoseconds: Since 1970.
  /// - Returns: the instant in UTC, to the millisecond.
  package static func format(nanoseconds: Int) -> String {
    Date(timeIntervalSince1970: Double(nanoseconds) / 1e9).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
