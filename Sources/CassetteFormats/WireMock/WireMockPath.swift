import CassetteJSON

/// Translates WireMock's JSON paths, in the dialect of Jayway, to RFC 9535.
enum WireMockPath {
  /// Returns the equivalent path, or nil if no path is equivalent.
  static func query(_ text: String) -> JSONQuery? {
    let text = withNamesInBrackets(text)
    if let whole = withObjectsFiltered(text), let query = try? JSONQuery(whole) { return query }
    return try? JSONQuery(text)
  }

  /// Returns true if Jayway may find more values.
  ///
  /// Jayway also applies a filter to the object itself, which the translation supports only at the end of a path.
  static func isApproximate(_ text: String, isCompared: Bool) -> Bool {
    guard text.contains("[?") else { return false }
    return isCompared || withObjectsFiltered(withNamesInBrackets(text)) == nil
  }

  /// Returns true if a path leads to at most one value: it has only names, and names or indices in brackets.
  private static func isSingular(_ path: Substring) -> Bool {
    guard !path.contains("*"), !path.contains("..") else { return false }
    return path.split(separator: "[").dropFirst().allSatisfy { rest in
      guard let first = rest.first else { return false }
      return first == "'" || first == "\"" || rest.prefix { $0 != "]" }.allSatisfy(\.isNumber)
    }
  }

  /// Puts names with hyphens in brackets, because Jayway takes `$.x-id` for `$['x-id']`.
  private static func withNamesInBrackets(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var quote: Character?
    while let character = rest.popFirst() {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      guard quote == nil, character == ".", name.contains("-"), name.first?.isNumber == false else {
        result.append(character)
        continue
      }
      // After two dots, the brackets must follow both.
      result += (result.hasSuffix(".") ? "." : "") + "['\(name)']"
      rest = rest.dropFirst(name.count)
    }
    return result
  }

  /// Extends a filter at the end of a path to the object itself.
  ///
  /// Jayway applies a filter to an object, RFC 9535 to its members; the returned path does both.
  private static func withObjectsFiltered(_ text: String) -> String? {
    guard let start = text.firstRange(of: "[?"), text.hasSuffix("]") else { return nil }
    let (path, filter) = (text[..<start.lowerBound], text[start.upperBound...].dropLast())
    guard isSingular(path), !filter.contains("$"), !filter.contains("[?") else { return nil }
    var quote: Character?
    var onObject = ""
    for character in filter {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
      if quote == nil, character == "@" { onObject += path } else { onObject.append(character) }
    }
    return "\(path)[?(\(filter)) || (\(onObject))]"
  }
}
