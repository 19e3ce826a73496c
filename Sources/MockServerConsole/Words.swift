/// Returns a number with its noun in singular or plural, such as `1 miss` or `61 recordings`.
///
/// - Parameters:
///   - count: The number.
///   - one: The noun in the singular.
///   - many: The noun in the plural; nil (the default) to append an `s`.
/// - Returns: The number and the noun.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? "\(one)s")"
}

/// Joins words for a sentence, such as `a`, `a or b`, or `a, b or c`.
package func series(_ words: [String], _ conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// Returns a size for display, such as `0 B`, `1.2 KB` or `64 MB`.
///
/// A kilobyte is 1,024 bytes, as in the options.
package func readableSize(_ bytes: Int) -> String {
  guard bytes >= 1024 else { return "\(bytes) B" }
  var size = Double(bytes)
  var unit = ""
  for next in ["KB", "MB", "GB", "TB"] where unit.isEmpty || size >= 1023.95 {
    size /= 1024
    unit = next
  }
  // Sizes below 100 have one digit after the decimal point.
  let tenths = size < 99.95 ? Int((size * 10).rounded()) : Int(size.rounded()) * 10
  return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
}

/// Splits text at spaces into lines of at most `width` characters.
///
/// A longer word gets its own line.
func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let line = lines.last, line.count + 1 + word.count <= width {
      lines[lines.count - 1] = "\(line) \(word)"
    } else {
      lines.append(String(word))
    }
  }
  return lines
}

/// Returns text padded with spaces to `width` characters.
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// Parses a size in bytes: digits and an optional unit, which is `B`, or K, M or G with an optional `B` or `iB`, in any
/// case.
func bytes(ofSize text: String) -> Int? {
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  guard let number = Int(digits) else { return nil }
  let shift: Int
  switch text.dropFirst(digits.count).lowercased() {
  case "", "b": shift = 0
  case "k", "kb", "kib": shift = 10
  case "m", "mb", "mib": shift = 20
  case "g", "gb", "gib": shift = 30
  default: return nil
  }
  let (product, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
  return overflow ? nil : product
}
