/// Replaces placeholders in JSON: `"total": "{{total}}"` becomes a number, and a placeholder within other text its
/// digits.
enum ResourceTemplate {
  /// The placeholders that are allowed in the envelope of a list.
  static let ofLists = ["items", "page", "size", "total", "pages", "next", "previous"]
  /// The placeholders that are allowed in the body of an error response.
  static let ofErrors = ["id", "detail", "fields"]
  /// The placeholders that are allowed in members that the server assigns.
  static let ofElements = ["id", "url", "now"]

  /// Returns the first placeholder that `names` does not contain, ignoring placeholders of redacted secrets.
  static func unknownName(in value: EditableJSON, among names: [String]) -> String? {
    switch value {
    case .object(let members): members.lazy.compactMap { unknownName(in: $0.value, among: names) }.first
    case .array(let elements): elements.lazy.compactMap { unknownName(in: $0, among: names) }.first
    case .scalar:
      value.string.flatMap { text in
        pieces(of: text).lazy.compactMap(\.name).first { !names.contains($0) && !$0.hasPrefix("secret:") }
      }
    }
  }

  /// Returns a value with its placeholders replaced; placeholders without a value remain.
  static func filled(_ value: EditableJSON, _ values: [String: EditableJSON]) -> EditableJSON {
    switch value {
    case .object(let members):
      return .object(members.map { EditableJSON.Member($0.name, filled($0.value, values)) })
    case .array(let elements): return .array(elements.map { filled($0, values) })
    case .scalar:
      guard let text = value.string, text.contains("{{") else { return value }
      let pieces = pieces(of: text)
      if pieces.count == 1, let name = pieces[0].name { return values[name] ?? value }
      return .string(
        pieces.map { piece in
          guard let name = piece.name, let value = values[name] else { return piece.text }
          return value.isNull ? "" : value.scalar ?? String(decoding: value.bytes, as: UTF8.self)
        }.joined())
    }
  }

  private struct Piece {
    var text: String
    var name: String?
  }

  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      if open.lowerBound > rest.startIndex { pieces.append(Piece(text: String(rest[..<open.lowerBound]))) }
      let name = rest[open.upperBound..<close.lowerBound].trimmingSpaces
      pieces.append(Piece(text: String(rest[open.lowerBound..<close.upperBound]), name: name))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { pieces.append(Piece(text: String(rest))) }
    return pieces
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
