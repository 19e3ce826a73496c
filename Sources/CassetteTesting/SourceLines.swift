import Cassettes

/// The lines of a test file, which show the type and the function of a line.
struct SourceLines {
  private let lines: [Substring]

  /// Reads a file; returns nil if the file cannot be read, as on a device.
  init?(path: String) {
    guard let bytes = try? CassetteFileBytes.read(path: path) else { return nil }
    self.init(text: String(decoding: bytes, as: UTF8.self))
  }

  init(text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// Returns the line of an XCTest method, `ProfileTests.testLogin`; nil if its class is not in the file.
  ///
  /// Classes in one file may have methods of the same name, and a class may contain other types.
  func line(ofTest test: String) -> Int? {
    let parts = test.split(separator: ".")
    guard parts.count >= 2, let method = parts.last else { return nil }
    let type = parts[parts.count - 2]
    var (current, isInside, later): (Substring?, Bool, Int?) = (nil, false, nil)
    for (index, line) in lines.enumerated() {
      if let name = Self.name(after: ["class", "extension"], in: line) { current = name }
      if current == type { isInside = true }
      guard isInside, Self.name(after: ["func"], in: line) == method else { continue }
      if current == type { return index + 1 }
      later = later ?? index + 1
    }
    return later
  }

  /// Returns the line of the function that contains a line.
  func function(around line: Int) -> Int? { lines.prefix(line).lastIndex { $0.contains("func ") }.map { $0 + 1 } }

  /// Returns the XCTest method that contains a line, `ProfileTests.testLogin`; nil if a helper contains the line.
  func test(around line: Int) -> String? {
    let before = lines.prefix(line)
    guard let function = function(around: line), let method = Self.name(after: ["func"], in: lines[function - 1]),
      method.hasPrefix("test"),
      let type = before.reversed().lazy.compactMap({ Self.name(after: ["class", "extension"], in: $0) }).first
    else { return nil }
    return "\(type).\(method)"
  }

  /// Returns the name that a line declares with one of these keywords.
  private static func name(after keywords: [String], in line: Substring) -> Substring? {
    let words = line.split(separator: " ")
    // Modifiers may precede a keyword, and `class` is itself a modifier of functions.
    guard let at = words.firstIndex(where: { keywords.contains(String($0)) }), at + 1 < words.count,
      !words[at].hasPrefix("//"), !words.prefix(at).contains(where: { $0.hasPrefix("//") })
    else { return nil }
    let name = words[at + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty || name == "func" || name == "var" ? nil : name
  }
}
