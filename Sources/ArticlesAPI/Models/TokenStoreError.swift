public import Foundation

/// Why a token cannot be kept or read.
public struct TokenStoreError: LocalizedError, Equatable {
  /// The file, or the item of the keychain.
  public let place: String
  /// What is wrong, and what to do.
  public let problem: String

  /// Where, what is wrong, and what to do.
  public var errorDescription: String? { "\(place): \(problem)" }
}
