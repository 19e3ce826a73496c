#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Base64 as recorders write it: with line ends in it, but whole.
enum Base64 {
  /// The bytes, or nil when the text breaks off or is not base64.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    let hasSpace = text.contains { $0 <= 0x20 }
    guard let data = Data(base64Encoded: Data(hasSpace ? text.filter { $0 > 0x20 } : text)) else { return nil }
    return Array(data)
  }

  static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
