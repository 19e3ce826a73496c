internal import CassetteJSON
internal import CassetteSystem

/// Finds the values that JSON paths match.
enum RedactionJSON {
  /// Calls a closure with each scalar at or below a path; a path that takes too many steps matches everything or
  /// nothing.
  static func scalars(
    in bytes: [UInt8], at paths: [JSONQuery], undecidedIsAll isWhole: Bool, _ found: (SecretFinder.Found) -> Void
  ) {
    guard !paths.isEmpty, let tree = JSONTree(bytes) else { return }
    let coverage = JSONCoverage(paths, of: tree, undecidedIsAll: isWhole)
    JSONScalars.each(in: bytes) { _, range in
      guard let path = coverage.query(covering: range.lowerBound).flatMap(paths.firstIndex) else { return }
      switch bytes[range.lowerBound] {
      case UInt8(ascii: "\""):
        let content = range.lowerBound + 1..<range.upperBound - 1
        let value = JSONString.decodeLoosely(bytes.span.extracting(content))
        if !value.isEmpty { found(SecretFinder.Found(range: content, value: value, notation: .path(path))) }
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        break
      default:
        found(SecretFinder.Found(range: range, value: Array(bytes[range]), notation: .path(path), isNumber: true))
      }
    }
  }
}

extension SecretTable {
  /// Replaces numeric secrets that are JSON numbers: an unquoted alias would not be valid JSON.
  func replaceNumbers(in bytes: [UInt8], _ replacements: inout Replacements) {
    guard hasNumbers else { return }
    var isThere = false
    patterns.search(bytes) { range, _ in isThere = isThere || bytes[range].contains { $0 &- 0x30 < 10 } }
    guard isThere else { return }
    JSONScalars.each(in: bytes) { _, range in
      guard (0x2d...0x39).contains(bytes[range.lowerBound]) else { return }
      patterns.search(Array(bytes[range])) { _, secret in replacements.insert(range, .number(secret, isQuoted: true))
      }
    }
  }
}
