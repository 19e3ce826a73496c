/// A key that identifies the application to an API.
public enum APIKey: Hashable, Sendable {
  /// A header field with this name and key.
  case header(String, String)
  /// A query parameter with this name and key.
  case query(String, String)
}

/// A key that is not stored as text in the binary.
///
/// Execute ``source(of:)`` once, and paste the output:
/// ```swift
/// $0.apiKey = .header("X-API-Key", ObfuscatedKey([0x1b, 0x52], salt: [0x70, 0x37]).revealed)
/// ```
/// Tools such as `strings` do not find the key, but a debugger does: users can read everything that an app sends.
public struct ObfuscatedKey: Sendable {
  private let bytes: [UInt8]
  private let salt: [UInt8]

  /// Creates a key from the output of ``source(of:)``.
  public init(_ bytes: [UInt8], salt: [UInt8]) { (self.bytes, self.salt) = (bytes, salt) }

  /// The key as sent.
  public var revealed: String {
    guard !salt.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.enumerated().map { $1 ^ salt[$0 % salt.count] }, as: UTF8.self)
  }

  /// Returns a Swift expression for a key, with a random salt.
  public static func source(of key: String) -> String {
    let salt = key.utf8.map { _ in UInt8.random(in: 1...255) }
    let bytes = zip(key.utf8, salt).map { $0 ^ $1 }
    func list(_ bytes: [UInt8]) -> String { "[\(bytes.map { "0x" + String($0, radix: 16) }.joined(separator: ", "))]" }
    return "ObfuscatedKey(\(list(bytes)), salt: \(list(salt)))"
  }
}
