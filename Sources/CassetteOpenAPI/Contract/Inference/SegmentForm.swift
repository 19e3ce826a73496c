internal import CassetteSystem

/// Distinguishes literals from values by the form of a path segment.
enum SegmentForm {
  /// Returns true if a segment has the form of a value: a number, a UUID, a hash, a date, a placeholder.
  static func isValue(_ segment: String, _ depth: Int) -> Bool {
    let bytes = Array(segment.utf8)
    guard let first = bytes.first else { return false }
    if bytes.contains(where: { "{}<>%@:~,;=+".utf8.contains($0) }) { return true }
    let digits = bytes.count { (0x30...0x39).contains($0) }
    guard digits > 0 else { return false }
    // `v1` and `v2.1` are versions of the API.
    if depth < 3, first | 0x20 == UInt8(ascii: "v"), digits < 4,
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    {
      return false
    }
    if (0x30...0x39).contains(first) { return true }
    let isHexadecimal = bytes.allSatisfy { $0.hexadecimalValue != nil }
    return isHexadecimal && bytes.count > 6 || digits > 3 || bytes.count > 16 && digits > 1
  }
}

/// Derives the names of path parameters, schemas and operations.
enum TemplateName {
  /// Returns the name of the parameter after a literal: `users` gives `userId`.
  static func name(after word: String, isDirect: Bool) -> String {
    var parts = word.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let last = parts.popLast() else { return "id" }
    parts.append(singular(last))
    let head = parts[0].prefix(1).lowercased() + parts[0].dropFirst()
    let name = parts.dropFirst().reduce(head) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    return name + (isDirect ? "Id" : "Name")
  }

  /// Returns true if a word looks like a plural.
  static func isPlural(_ word: String) -> Bool {
    word.utf8.count > 2 && word.hasSuffix("s") && !word.hasSuffix("ss") && !word.hasSuffix("us")
  }

  /// Returns the schema name for the last literal of a path: `/users/{userId}/repos` gives `Repo`.
  static func schema(of path: String) -> String {
    schema(named: path.split(separator: "/").last { !$0.hasPrefix("{") }.map(String.init) ?? "")
  }

  /// Returns the schema name for a member or literal, in the singular: `open_issues` gives `OpenIssue`.
  static func schema(named word: String) -> String {
    var parts = word.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let last = parts.popLast() else { return "Object" }
    parts.append(singular(last))
    let name = parts.reduce("") { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    return name.first?.isNumber ?? true ? "Object\(name)" : name
  }

  private static func singular(_ word: String) -> String {
    if word.hasSuffix("series") || word.hasSuffix("species") { return word }
    if ["cookies", "movies", "selfies", "calories"].contains(where: word.hasSuffix) { return String(word.dropLast()) }
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where word.hasSuffix(ending) { return String(word.dropLast(2)) }
    return isPlural(word) ? String(word.dropLast()) : word
  }

  /// Returns the names of a path's parameters, from left to right.
  static func names(in path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  /// Returns an unused name, with a number appended if necessary, and adds it to `taken`.
  static func unused(_ wanted: String, _ taken: inout Set<String>) -> String {
    var (name, number) = (wanted, 1)
    while !taken.insert(name).inserted {
      number += 1
      name = "\(wanted)\(number)"
    }
    return name
  }

  /// Returns the name of an operation: `GET /users/{userId}` gives `getUsersByUserId`.
  static func operation(_ method: String, _ path: String) -> String {
    path.split(separator: "/").reduce(method.lowercased()) { name, segment in
      let words = segment.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
      let text = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      return name + (segment.hasPrefix("{") ? "By" : "") + text
    }
  }
}
