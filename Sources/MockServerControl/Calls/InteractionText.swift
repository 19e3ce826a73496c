internal import CassetteHTTP
internal import CassetteJSON
internal import Cassettes

/// Interactions in a body, parsed as in a cassette so that errors name the line and column.
enum InteractionText {
  /// Parses an interaction or an array of interactions.
  ///
  /// - Parameters:
  ///   - body: The complete body.
  ///   - node: The interaction or the array in the body.
  ///   - names: The members that the parser must ignore. Empty by default.
  /// - Returns: A cassette with the interactions and the parser's warnings.
  /// - Throws: A refusal with the position of the error.
  static func read(
    _ body: [UInt8], _ node: JSONTree.Node, without names: Set<String> = []
  ) throws(ControlRefusal) -> Cassette {
    var text = blanked(body, outside: node.range)
    if case .array(let elements) = node.kind {
      for element in elements { blank(names, of: element, in: &text) }
      return try read(text, behind: "", before: "")
    }
    blank(names, of: node, in: &text)
    return try read(text, behind: "[", before: "]")
  }

  /// Parses a request and its rules in the form of a recording.
  ///
  /// `names` are members that the parser must ignore.
  static func request(
    _ body: [UInt8], _ node: JSONTree.Node, without names: Set<String> = []
  ) throws(ControlRefusal) -> Interaction {
    var text = blanked(body, outside: node.range)
    blank(names, of: node, in: &text)
    guard case .object(let members) = node.kind, members.contains(where: { $0.name == Array("request".utf8) }) else {
      throw ControlRefusal(400, "\"request\" is missing: it says which request is meant, as in a cassette")
    }
    // The parser requires a response, which is not used.
    text[node.range.lowerBound] = UInt8(ascii: " ")
    let cassette = try read(text, behind: "[{\"response\":{\"status\":200},", before: "]")
    guard let interaction = cassette.interactions.first else { throw ControlRefusal(400, "\"request\" is missing") }
    return interaction
  }

  private static func read(
    _ text: [UInt8], behind start: String, before end: String
  ) throws(ControlRefusal) -> Cassette {
    // The body starts on a new line, so that the columns in error messages are correct.
    let bytes = Array("{\"cassette\":1,\"interactions\":\(start)\n".utf8) + text + Array("\(end)}".utf8)
    let cassette: Cassette
    do throws(CassetteError) {
      cassette = try CassetteFile.read(bytes: bytes, name: "body", file: nil)
    } catch {
      throw ControlRefusal(400, words(error))
    }
    for interaction in cassette.interactions {
      for body in [interaction.requestBody, interaction.responseBody] {
        if case .file? = body?.form {
          throw ControlRefusal(
            400, "a body in a \"file\" is for cassettes: here it stands itself, as \"json\", \"text\" or \"base64\"")
        }
      }
    }
    return cassette
  }

  static func words(_ error: CassetteError) -> String {
    let place = error.line > 1 ? "line \(error.line - 1), column \(error.column): " : ""
    return place + error.message + (error.suggestion.map { ", \($0)" } ?? "")
  }

  private static func blanked(_ body: [UInt8], outside range: Range<Int>) -> [UInt8] {
    var text = body
    for index in text.indices where !range.contains(index) { text.blank(index) }
    return text
  }

  /// Replaces members of an object, and the commas that become superfluous, with spaces.
  private static func blank(_ names: Set<String>, of node: JSONTree.Node, in text: inout [UInt8]) {
    guard case .object(let members) = node.kind else { return }
    var end = node.range.lowerBound + 1
    for member in members {
      if names.contains(String(decoding: member.name, as: UTF8.self)) {
        for index in end..<member.value.range.upperBound { text.blank(index) }
      }
      end = member.value.range.upperBound
    }
    let first = text[node.range].dropFirst().firstIndex { ![9, 10, 13, 32].contains($0) }
    if let first, text[first] == UInt8(ascii: ",") { text.blank(first) }
  }
}

extension [UInt8] {
  /// Replaces a byte with a space unless it ends a line.
  fileprivate mutating func blank(_ index: Int) {
    if self[index] != 10 && self[index] != 13 { self[index] = 32 }
  }
}
