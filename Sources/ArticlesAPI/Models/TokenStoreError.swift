public import Foundation

/// The error of a token that cannot be kept or read.
public struct TokenStoreError: LocalizedError, Equatable {
  /// The file, or the item of the keychain.
  public let place: String
  /// A description of the problem, and of what to do.
  public let problem: String

  /// The place, the problem, and what to do.
  public var errorDescription: String? { "\(place): \(problem)" }
}
