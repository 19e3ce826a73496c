internal import CassetteHTTP

extension RecordedTarget {
  /// Tells whether a secret was taken out of a target, raw or escaped.
  package static func hasPlaceholder(_ target: Span<UInt8>) -> Bool {
    for index in target.indices {
      let byte = target[index]
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "%") else { continue }
      // Rare enough to be looked at as text.
      let rest = target.extracting(index..<target.count).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      return PercentEncoding.decodeText(rest.utf8).contains("{{secret")
    }
    return false
  }
}
