internal import CassetteEngines
internal import CassetteHTTP

/// The error responses of a collection, with placeholders for the variable parts.
struct Refusals {
  let collection: ObservedCollection

  /// The `errors` member of a resource; nil if there were no error responses.
  var definition: EditableJSON? {
    var errors = EditableJSON.object([])
    if let missing = collection.exchanges.first(where: { $0.status == 404 && $0.path != collection.path }),
      let answer = missing.answered, let name = missing.step?.name
    {
      errors["404"] = opened(answer, name: name)
    }
    if let invalid = collection.exchanges.first(where: { $0.isInvalid && $0.answered != nil && $0.method != .get }),
      let answer = invalid.answered
    {
      let sent = invalid.sent ?? .null
      errors["\(invalid.status)"] = opened(answer, name: nil, lacking: { sent[$0]?.isNull ?? true })
    }
    if case .object(let members) = errors, members.isEmpty { return nil }
    return errors
  }

  /// Returns an error response with placeholders for the element's id and for an object of messages by member.
  private func opened(
    _ value: EditableJSON, name: String?, lacking: ((String) -> Bool)? = nil
  ) -> EditableJSON {
    switch value {
    case .object(let members):
      if let lacking, !members.isEmpty, members.allSatisfy({ $0.value.isArray }),
        members.contains(where: { lacking(String(decoding: $0.name, as: UTF8.self)) })
      {
        return .string("{{fields}}")
      }
      return .object(members.map { .init($0.name, opened($0.value, name: name, lacking: lacking)) })
    case .array(let elements): return .array(elements.map { opened($0, name: name, lacking: lacking) })
    case .scalar:
      guard let name, let text = value.scalar else { return value }
      if text == name { return .string("{{id}}") }
      guard value.string != nil else { return value }
      return .string(Self.replacing(name, in: text))
    }
  }

  /// Replaces an id by a placeholder if it is a separate word.
  private static func replacing(_ name: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: name) {
      let before = range.lowerBound > rest.startIndex ? rest[rest.index(before: range.lowerBound)] : result.last
      let after = range.upperBound < rest.endIndex ? rest[range.upperBound] : nil
      let isWord = [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
      result += rest[..<range.lowerBound]
      result += isWord ? "{{id}}" : name
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
