/// Fills the places of a JSON value: `"total": "{{total}}"` becomes a number, within other text its digits.
enum ResourceTemplate {
  /// The names that the envelope of a list may have.
  static let ofLists = ["items", "page", "size", "total", "pages", "next", "previous"]
  /// The names that a refusal may have.
  static let ofErrors = ["id", "detail", "fields"]
  /// The names that what the server gives to an element may have.
  static let ofElements = ["id", "url", "now"]

  /// The first name in a value that is none of some; what stands for a secret is no name.
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

  /// A value with its places filled; a name without a value stays as it is.
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
