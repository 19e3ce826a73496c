package import CassetteJSON

/// Translates the JsonUnit placeholders of WireMock's `equalToJson`.
///
/// Values with placeholders are excluded from the comparison, and a JSON Schema describes their allowed values instead.
package struct JSONUnitPlaceholders {
  /// The paths of the placeholders.
  package private(set) var paths: [JSONQuery] = []
  /// True if a placeholder restricts its value, so that the schema is needed.
  package private(set) var asksMore = false
  /// True if a placeholder is inside an array.
  package private(set) var isInArray = false

  private static let prefix = "${json-unit."

  /// Creates a translator that has found no placeholders.
  package init() {}

  /// Returns a schema for a value and its placeholders, and adds to `paths`.
  ///
  /// - `steps`: The path of the value. Default: the root.
  package mutating func schema(of value: JSONValue, at steps: [String] = []) throws(JSONSchema.Problem) -> [UInt8] {
    var schemas: [(name: String, schema: [UInt8])] = []
    if value.isObject {
      for member in value.members {
        let quoted = member.name.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        schemas.append((member.name, try schema(of: member.value, at: steps + ["['\(quoted)']"])))
      }
      let mayBeLeftOut = Set(value.members.filter { $0.value.string == "\(Self.prefix)ignore-element}" }.map(\.name))
      return object { json in
        json.object("properties") { list in for (name, schema) in schemas { list.member(name, json: schema) } }
        json.array("required") { list in
          for (name, _) in schemas where !mayBeLeftOut.contains(name) { list.element(name) }
        }
      }
    }
    if value.isArray {
      let found = paths.count
      for (index, element) in value.elements.enumerated() {
        schemas.append(("", try schema(of: element, at: steps + ["[\(index)]"])))
      }
      isInArray = isInArray || paths.count > found
      if schemas.isEmpty { return Array("true".utf8) }
      return object { json in
        json.member("prefixItems", json: [0x5b] + Array(schemas.map(\.schema).joined(separator: [0x2c])) + [0x5d])
      }
    }
    guard let text = value.string, text.hasPrefix(Self.prefix) else { return Array("true".utf8) }
    guard let path = try? JSONQuery("$" + steps.joined()) else {
      throw problem("a placeholder at a place that no JSON path describes")
    }
    paths.append(path)
    asksMore = true
    let placeholder = text.dropFirst(Self.prefix.count)
    switch placeholder {
    case "ignore}", "ignore-element}": return Array("true".utf8)
    case "any-string}": return object { $0.member("type", "string") }
    case "any-number}": return object { $0.member("type", "number") }
    case "any-boolean}": return object { $0.member("type", "boolean") }
    default:
      guard placeholder.hasPrefix("regex}") else { throw problem("\(text.prefix(60)) is not supported") }
      return object { json in
        json.member("type", "string")
        // JsonUnit matches the whole string.
        json.member("pattern", "^(?:\(placeholder.dropFirst("regex}".count)))$")
      }
    }
  }

  private func problem(_ message: String) -> JSONSchema.Problem {
    JSONSchema.Problem(message: message, pointer: "#", offset: 0)
  }

  private func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object(body)
    return json.bytes
  }
}
