internal import CassetteSystem

/// The member that every JSON-RPC message has (JSON-RPC 2.0 §4).
enum CallMark {
  private static let mark = Array("\"jsonrpc\"".utf8)

  /// Returns true if a body may contain JSON-RPC messages; the body is searched, not parsed.
  static func isIn(_ body: [UInt8]) -> Bool { body.firstIndex(of: mark) != nil }
}
