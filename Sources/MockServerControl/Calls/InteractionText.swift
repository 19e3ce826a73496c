internal import CassetteFiles
internal import CassetteHTTP
internal import CassetteJSON
internal import Cassettes

/// Interactions in a body, read by the reader of cassettes, which names the line and column of what is wrong.
enum InteractionText {
  /// Reads an interaction, or an array of them, and what is odd about them; `names` are members that are not the
  /// reader's.
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

  /// Reads a request and its rules as a recording has them; `names` are members that are not the reader's.
  static func request(
    _ body: [UInt8], _ node: JSONTree.Node, without names: Set<String> = []
  ) throws(ControlRefusal) -> Interaction {
    var text = blanked(body, outside: node.range)
    blank(names, of: node, in: &text)
    guard case .object(let members) = node.kind, members.contains(where: { $0.name == Array("request".utf8) }) else {
      throw ControlRefusal(400, "\"request\" is missing: it says which request is meant, as in a cassette")
    }
    // A recording has a response, which plays no part here.
    text[node.range.lowerBound] = UInt8(ascii: " ")
    let cassette = try read(text, behind: "[{\"response\":{\"status\":200},", before: "]")
    guard let interaction = cassette.interactions.first else { throw ControlRefusal(400, "\"request\" is missing") }
    return interaction
  }

  private static func read(
    _ text: [UInt8], behind start: String, before end: String
  ) throws(ControlRefusal) -> Cassette {
    // The body keeps its columns: it begins a line.
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

  /// Writes spaces over members of an object, and over the commas that are too many then.
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
  /// Writes a space over a byte, unless a line ends there.
  fileprivate mutating func blank(_ index: Int) {
    if self[index] != 10 && self[index] != 13 { self[index] = 32 }
  }
}
