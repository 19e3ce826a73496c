/// A key that tells an API which application asks.
public enum APIKey: Hashable, Sendable {
  /// Sent as a header field: name and key.
  case header(String, String)
  /// Sent with the query: name and key.
  case query(String, String)
}

/// A key that is not in the binary as text.
///
/// `swift run` a line with ``source(of:)`` once, and paste what it prints:
/// ```swift
/// $0.apiKey = .header("X-API-Key", ObfuscatedKey([0x1b, 0x52], salt: [0x70, 0x37]).revealed)
/// ```
/// This keeps a key out of `strings App`, and from nobody with a debugger: what an app can send, its user can read.
public struct ObfuscatedKey: Sendable {
  private let bytes: [UInt8]
  private let salt: [UInt8]

  /// Creates a key from the output of ``source(of:)``.
  public init(_ bytes: [UInt8], salt: [UInt8]) { (self.bytes, self.salt) = (bytes, salt) }

  /// The key as it is sent.
  public var revealed: String {
    guard !salt.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.enumerated().map { $1 ^ salt[$0 % salt.count] }, as: UTF8.self)
  }

  /// Returns the Swift expression of a key, with a new salt each time.
  public static func source(of key: String) -> String {
    let salt = key.utf8.map { _ in UInt8.random(in: 1...255) }
    let bytes = zip(key.utf8, salt).map { $0 ^ $1 }
    func list(_ bytes: [UInt8]) -> String { "[\(bytes.map { "0x" + String($0, radix: 16) }.joined(separator: ", "))]" }
    return "ObfuscatedKey(\(list(bytes)), salt: \(list(salt)))"
  }
}
