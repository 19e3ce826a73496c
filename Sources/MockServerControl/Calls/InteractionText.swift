internal import CassetteHTTP
internal import CassetteJSON
internal import Cassettes

/// Interactions in a body, read by the reader of cassettes, which names the line and column of an error.
enum InteractionText {
  /// Reads an interaction, or an array of them, with the warnings about them.
  ///
  /// - Parameters:
  ///   - body: The body of the call, which is JSON.
  ///   - node: The interaction or array in it.
  ///   - names: The keys of an interaction that are no part of a cassette.
  /// - Returns: A cassette of the interactions.
  /// - Throws: ``ControlRefusal`` with status 400, and the place of the error.
  static func read(
    _ body: [UInt8], _ node: JSONTree.Node, without names: Set<String> = []
  ) throws(ControlRefusal) -> Cassette {
    try read(body, node, names, needsResponse: true)
  }

  /// Reads a request and its rules as a recording has them.
  ///
  /// - Parameters:
  ///   - body: The body of the call, which is JSON.
  ///   - node: The object in it.
  ///   - names: The keys of the object that are no part of a cassette.
  /// - Returns: An interaction with an empty response.
  /// - Throws: ``ControlRefusal`` with status 400, and the place of the error.
  static func request(
    _ body: [UInt8], _ node: JSONTree.Node, without names: Set<String> = []
  ) throws(ControlRefusal) -> Interaction {
    guard case .object(let members) = node.kind, members.contains(where: { $0.name == Array("request".utf8) }),
      let interaction = try read(body, node, names, needsResponse: false).interactions.first
    else { throw ControlRefusal(400, "\"request\" is missing: send a request in the format of a cassette") }
    return interaction
  }

  private static func read(
    _ body: [UInt8], _ node: JSONTree.Node, _ names: Set<String>, needsResponse: Bool
  ) throws(ControlRefusal) -> Cassette {
    let cassette: Cassette
    do throws(CassetteError) {
      cassette = try CassetteFile.interactions(
        in: body, at: node.range.lowerBound, besides: names, needsResponse: needsResponse)
    } catch {
      throw ControlRefusal(400, words(error))
    }
    for interaction in cassette.interactions {
      for body in [interaction.requestBody, interaction.responseBody] {
        if case .file? = body?.form {
          throw ControlRefusal(
            400, "\"file\" is not supported here: send the body as \"json\", \"text\" or \"base64\"")
        }
      }
    }
    return cassette
  }

  static func words(_ error: CassetteError) -> String {
    let place = error.line > 0 ? "line \(error.line), column \(error.column): " : ""
    return place + error.message + (error.suggestion.map { ", \($0)" } ?? "")
  }
}
