public import Foundation

/// The error for a token that cannot be saved or read.
public struct TokenStoreError: LocalizedError, Equatable {
  /// The path of the file, or the name of the keychain item.
  public let place: String
  /// A description of the problem and its remedy.
  public let problem: String

  /// The place, the problem and its remedy.
  public var errorDescription: String? { "\(place): \(problem)" }
}
