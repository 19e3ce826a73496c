internal import CassetteJSON

/// A tool that an agent can call, with its name, summary and arguments.
package struct Tool: Sendable {
  /// The type of an argument.
  package enum Kind: String, Sendable {
    case string
    case integer
    case boolean
    case array
    case object
  }

  /// An argument of a tool.
  package struct Argument: Sendable {
    package let name: String
    package let kind: Kind
    package let isRequired: Bool
    package let choices: [String]
    package let summary: String

    init(_ name: String, _ kind: Kind, _ summary: String, required: Bool = false, choices: [String] = []) {
      (self.name, self.kind, self.summary) = (name, kind, summary)
      (isRequired, self.choices) = (required, choices)
    }
  }

  package let name: String
  package let summary: String
  package let arguments: [Argument]
  /// True if the tool changes neither files nor the server.
  package let isReading: Bool

  init(_ name: String, _ summary: String, reading: Bool = true, _ arguments: [Argument] = []) {
    (self.name, self.summary, self.arguments, isReading) = (name, summary, arguments, reading)
  }

  /// Writes the tool as an element of the `tools/list` result.
  func describe(in tool: inout JSONWriter) {
    tool.member("name", name)
    tool.member("description", summary)
    tool.object("inputSchema") { schema in
      schema.member("type", "object")
      schema.object("properties") { properties in
        for argument in arguments {
          properties.object(argument.name) { property in
            property.member("type", argument.kind.rawValue)
            property.member("description", argument.summary)
            if !argument.choices.isEmpty { property.member("enum", argument.choices) }
          }
        }
      }
      schema.member("required", arguments.filter(\.isRequired).map(\.name))

      schema.member("additionalProperties", false)
    }
    tool.object("annotations") { $0.member("readOnlyHint", isReading) }
  }

  /// Returns the first violation of the schema in some arguments; nil if they are valid.
  func problem(in arguments: JSONValue) -> String? {
    guard arguments.isObject else { return "the arguments of \(name) must be an object" }
    for (member, value) in arguments.members where !value.isNull {
      guard let argument = self.arguments.first(where: { $0.name == member }) else {
        return "\(name) has no argument \"\(member)\"; its arguments are "
          + "\(self.arguments.map(\.name).joined(separator: ", "))"
      }
      let fits =
        switch argument.kind {
        case .string: value.isString
        case .integer: !value.isString && value.integer != nil
        case .boolean: ["true", "false"].contains(String(decoding: value.bytes, as: UTF8.self))
        case .array: value.isArray
        case .object: value.isObject
        }
      guard fits else { return "\"\(member)\" must be of type \(argument.kind.rawValue)" }
      if !argument.choices.isEmpty, !argument.choices.contains(value.string ?? "") {
        return "\"\(member)\" must be one of \(argument.choices.joined(separator: ", "))"
      }
    }
    return self.arguments.first { $0.isRequired && arguments[$0.name] == nil }.map { "\(name) needs \"\($0.name)\"" }
  }
}
