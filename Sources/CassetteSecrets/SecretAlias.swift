internal import CassetteSystem

/// The alias of a secret in a cassette: `{{secret:1}}`, `{{secret:2:uuid}}`, `{{secret:3:jwt,alg=RS256,sub}}`.
///
/// The number identifies the secret, and the type describes its value. The detail of the type is ignored in
/// comparisons.
package struct SecretAlias {
  private static let mark = Array("{{secret:".utf8)
  /// The maximum length of an alias in bytes.
  package static let longest = 2048

  /// The place of the alias in the bytes.
  package let range: Range<Int>
  package let number: Int
  /// The type of the secret; nil for a string without a type.
  package let shape: SecretType?
  /// True if the type is unknown, so that the alias is ordinary text.
  package let isUnknown: Bool
  /// True if the alias is the whole content of quotes and has a numeric type: it represents a JSON number.
  package let isQuotedNumber: Bool
  /// The place of the alias, including the quotes around a number.
  package var place: Range<Int> { isQuotedNumber ? range.lowerBound - 1..<range.upperBound + 1 : range }

  /// Returns the numbers of the aliases in order, including incomplete aliases.
  package static func numbers(in bytes: [UInt8]) -> [Int] {
    var numbers: [Int] = []
    eachNumber(in: bytes) { _, number in numbers.append(number) }
    return numbers
  }

  /// Returns the bytes with the number and type of every alias removed, and the numbers in order.
  package static func neutral(_ bytes: [UInt8]) -> (bytes: [UInt8], numbers: [Int]) {
    var output: [UInt8] = []
    var numbers: [Int] = []
    var at = 0
    eachNumber(in: bytes) { digits, number in
      output += bytes[at..<digits.lowerBound]
      at = end(of: digits, in: bytes) ?? digits.upperBound
      numbers.append(number)
    }
    // The usual case, in which nothing is copied.
    if at == 0 { return (bytes, []) }
    output += bytes[at...]
    return (output, numbers)
  }

  package static func neutral(_ text: String) -> (text: String, numbers: [Int]) {
    guard text.contains("{{secret:") else { return (text, []) }
    let neutral = neutral(Array(text.utf8))
    return (String(decoding: neutral.bytes, as: UTF8.self), neutral.numbers)
  }

  /// True if a value contains an alias and no other part of it looks like a secret.
  static func isMost(of value: [UInt8]) -> Bool {
    let neutral = neutral(value)
    // A value that starts with an alias may have more text after it.
    if value.drop(while: ByteSet.space.contains).starts(with: "{{secret".utf8) { return true }
    guard !neutral.numbers.isEmpty else { return value.firstIndex(of: Array(SecretNames.mask.utf8)) != nil }
    return !String(decoding: neutral.bytes, as: UTF8.self).replacing("{{secret:}}", with: " ")
      .split { " \r\n\t\"\\,;:&".contains($0) }.contains { SecretShapes.isToken(Array($0.utf8)) }
  }

  /// Calls a closure with the number of each alias, and its offset in the bytes without numbers and types.
  package static func eachPlace(in bytes: [UInt8], _ use: (_ number: Int, _ place: Int) -> Void) {
    var shrunk = 0
    eachNumber(in: bytes) { digits, number in
      use(number, digits.lowerBound - shrunk)
      shrunk += (end(of: digits, in: bytes) ?? digits.upperBound) - digits.lowerBound
    }
  }

  /// Calls a closure with each complete alias.
  package static func each(in bytes: [UInt8], _ use: (SecretAlias) -> Void) {
    eachNumber(in: bytes) { digits, number in
      guard let end = end(of: digits, in: bytes) else { return }
      let range = digits.lowerBound - mark.count..<end + 2
      let isPlain = end == digits.upperBound
      let shape = isPlain ? nil : SecretType(notation: bytes[digits.upperBound + 1..<end])
      let quote = UInt8(ascii: "\"")
      let isQuoted = bytes.searching { $0.at(range.lowerBound - 1) == quote && $0.at(range.upperBound) == quote }
      let isQuotedNumber = isQuoted && shape?.kind.isBare ?? false
      use(
        SecretAlias(
          range: range, number: number, shape: shape, isUnknown: !isPlain && shape == nil,
          isQuotedNumber: isQuotedNumber))
    }
  }

  /// Returns the offset of the closing braces of the alias with the given digits.
  private static func end(of digits: Range<Int>, in bytes: [UInt8]) -> Int? {
    var at = digits.upperBound
    if at < bytes.count, bytes[at] == UInt8(ascii: ":") {
      let last = min(bytes.count, at + longest)
      while at < last, bytes[at] > 0x20, !ends.contains(bytes[at]) { at += 1 }
    }
    return bytes[at...].starts(with: [0x7d, 0x7d]) ? at : nil
  }

  private static let ends = ByteSet(adding: "\"\\{}<>")

  /// Calls a closure with the digits and the number of each alias, including incomplete aliases.
  package static func eachNumber(in bytes: [UInt8], _ use: (_ digits: Range<Int>, _ number: Int) -> Void) {
    var from = 0
    while let found = bytes.firstIndex(of: mark, from: from) {
      let digits = bytes[(found + mark.count)...].prefix { (0x30...0x39).contains($0) }
      from = digits.endIndex
      if let number = Int(String(decoding: digits, as: UTF8.self)) { use(digits.indices, number) }
    }
  }
}
