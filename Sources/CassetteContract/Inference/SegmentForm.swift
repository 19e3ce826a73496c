internal import CassetteSystem

/// The form of a path's segment, which tells words from values.
enum SegmentForm {
  /// Tells whether a segment is a value by its form: a number, a UUID, a hash, a date, a place holder.
  static func isValue(_ segment: String, _ depth: Int) -> Bool {
    let bytes = Array(segment.utf8)
    guard let first = bytes.first else { return false }
    if bytes.contains(where: { "{}<>%@:~,;=+".utf8.contains($0) }) { return true }
    let digits = bytes.count { (0x30...0x39).contains($0) }
    guard digits > 0 else { return false }
    // `v1`, `v2.1` say which version of the API is meant.
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

/// The names of templates, made of the collection before them.
enum TemplateName {
  /// The name of what stands behind a word: `users` gives `userId`.
  static func name(after word: String, isDirect: Bool) -> String {
    var parts = word.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let last = parts.popLast() else { return "id" }
    parts.append(singular(last))
    let head = parts[0].prefix(1).lowercased() + parts[0].dropFirst()
    let name = parts.dropFirst().reduce(head) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    return name + (isDirect ? "Id" : "Name")
  }

  /// Tells whether a word looks like more than one of something.
  static func isPlural(_ word: String) -> Bool {
    word.utf8.count > 2 && word.hasSuffix("s") && !word.hasSuffix("ss") && !word.hasSuffix("us")
  }

  /// The name of what a path leads to: `/users/{userId}/repos` gives `Repo`.
  static func schema(of path: String) -> String {
    schema(named: path.split(separator: "/").last { !$0.hasPrefix("{") }.map(String.init) ?? "")
  }

  /// The name of one of what a member is called: `open_issues` gives `OpenIssue`.
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

  /// The names of a path's templates, from the left.
  static func names(in path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  /// A name that is not taken, with a number if need be; it is taken then.
  static func unused(_ wanted: String, _ taken: inout Set<String>) -> String {
    var (name, number) = (wanted, 1)
    while !taken.insert(name).inserted {
      number += 1
      name = "\(wanted)\(number)"
    }
    return name
  }

  /// A name for one method of a path: `GET /users/{userId}` gives `getUsersByUserId`.
  static func operation(_ method: String, _ path: String) -> String {
    path.split(separator: "/").reduce(method.lowercased()) { name, segment in
      let words = segment.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
      let text = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      return name + (segment.hasPrefix("{") ? "By" : "") + text
    }
  }
}
