/// The number and its noun, one or many: `1 miss`, `61 recordings`, `no problems` is the caller's to say.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? "\(one)s")"
}

/// Words in a row as a sentence has them: `a`, `a or b`, `a, b or c`.
package func series(_ words: [String], _ conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// Writes a size for a person: `0 B`, `999 B`, `1.2 KB`, `64 MB`; a kilobyte is 1,024 bytes, as in the options.
package func readableSize(_ bytes: Int) -> String {
  guard bytes >= 1024 else { return "\(bytes) B" }
  var size = Double(bytes)
  var unit = ""
  for next in ["KB", "MB", "GB", "TB"] where unit.isEmpty || size >= 1023.95 {
    size /= 1024
    unit = next
  }
  // One digit after the point is worth reading below a hundred.
  let tenths = size < 99.95 ? Int((size * 10).rounded()) : Int(size.rounded()) * 10
  return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
}

/// The text cut into lines of at most `width` characters, at spaces; a longer word keeps a line of its own.
package func wrapped(_ text: String, width: Int) -> [String] {
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

/// The text with spaces after it up to `width` characters.
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// The bytes of a size: digits, then nothing, `B`, or K, M or G with an optional `B` or `iB`, in any case.
package func bytes(ofSize text: String) -> Int? {
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
