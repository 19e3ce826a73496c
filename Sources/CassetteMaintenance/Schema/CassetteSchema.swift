internal import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// The JSON Schema of cassette files, for editors: the keys of each object with their descriptions.
///
/// Generated from the tables that the reader uses. The reader also checks patterns, positions, paths and times; a file
/// that the reader accepts is valid.
package enum CassetteSchema {
  /// The schema (draft 7), with a trailing line feed.
  package static let text: String = {
    let definitions = kinds.map { ($0, "{ \($1) }") } + Grammar.objects.map { ($0.name, "{ \(members(of: $0)) }") }
    let parts = [
      #""$schema": "http://json-schema.org/draft-07/schema#", "title": "mockserver cassette""#,
      members(of: Grammar.root), "\"definitions\": { \(resource), \(list(definitions)) }",
    ]
    var text: [UInt8] = []
    JSONStyle.indent2.render(Array("{ \(parts.joined(separator: ", ")) }".utf8).span, into: &text)
    return String(decoding: text, as: UTF8.self) + "\n"
  }()

  /// Returns the members of the schema of an object.
  private static func members(of object: ObjectFacts) -> String {
    let required = object.rows.filter(\.isRequired).map { string($0.name) }
    let parts = [
      #""type": "object""#, description(object.help),
      required.isEmpty ? "" : "\"required\": [\(required.joined(separator: ", "))]", object.schema,
      #""additionalProperties": false"#,
      "\"properties\": { \(list(object.rows.map { ($0.name, value(of: $0)) })) }",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func value(of row: KeyRow) -> String {
    "{ \([row.schema, description(row.help)].filter { !$0.isEmpty }.joined(separator: ", ")) }"
  }

  private static func description(_ help: String?) -> String { help.map { "\"description\": \(string($0))" } ?? "" }

  private static func list(_ members: [(name: String, value: String)]) -> String {
    members.map { "\(string($0.name)): \($0.value)" }.joined(separator: ", ")
  }

  private static func string(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONString.append(Array(text.utf8).span, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The definitions of values that several keys have, or that are recursive.
  private static let kinds = [
    (
      "headers",
      """
      "type": "array", "description": "Header fields in the order they were sent, with repetitions and their case.", "items": {
        "type": "array",
        "description": "Name and value, followed by latin1 if the value is sent in ISO-8859-1.",
        "items": [{ "type": "string" }, { "type": "string" }, { "const": "latin1" }], "minItems": 2, "maxItems": 3
      }
      """
    ),
    (
      "text",
      """
      "description": "A string, or several strings that are joined.",
      "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }]
      """
    ),
    (
      "latency",
      """
      "description": "Seconds, recorded, fitted, 50ms, 20ms..80ms, or a median and a sigma: 80ms~0.4.",
      "anyOf": [{ "type": "string" }, { "type": "number", "minimum": 0, "maximum": 86400 }]
      """
    ),
    (
      "methods",
      #""type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1, "not": { "const": "ANY" } }"#
    ),
    (
      "value",
      """
      "description": "A string to equal, ignore, a condition, or a list of conditions that must all hold.", "anyOf": [
        { "type": "string" }, { "$ref": "#/definitions/condition" },
        { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/condition" } }
      ]
      """
    ),
    ("named", ##""type": "object", "additionalProperties": { "$ref": "#/definitions/value" }"##),
    ("texts", #""type": "array", "minItems": 1, "items": { "type": "string" }"#),
    ("values", ##""type": "array", "minItems": 1, "items": { "$ref": "#/definitions/value" }"##),
    ("bodies", ##""type": "array", "minItems": 1, "items": { "$ref": "#/definitions/matchBody" }"##),
  ]

  /// The definition of a resource, as a member of the schema's definitions.
  static let resource = #"""
        "resource": {
          "type": "object",
          "required": ["path"],
          "additionalProperties": false,
          "properties": {
            "path": {
              "description": "The path of the collection, or several paths; links to elements use the first.",
              "anyOf": [
                { "type": "string", "pattern": "^/" },
                { "type": "array", "minItems": 1, "items": { "type": "string", "pattern": "^/" } }
              ]
            },
            "id": { "type": "string", "minLength": 1, "description": "The member with the id of an element: id." },
            "headers": {
              "type": "object",
              "description": "Header fields of each response with content.",
              "additionalProperties": { "type": "string" }
            },
            "operations": {
              "type": "object",
              "description": "The supported operations and the status of each response.",
              "propertyNames": { "enum": ["list", "create", "clear", "read", "replace", "patch", "delete"] },
              "additionalProperties": { "type": "integer", "minimum": 200, "maximum": 299 }
            },
            "list": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "page": { "type": "string", "description": "The parameter with the page number, starting at 1." },
                "size": { "type": "string", "description": "The parameter with the number of elements per page." },
                "perPage": { "type": "integer", "minimum": 1, "maximum": 1000 },
                "missingPage": {
                  "type": "integer", "minimum": 400, "maximum": 499,
                  "description": "The status for a page that does not exist, instead of an empty page."
                },
                "filter": { "type": "array", "items": { "type": "string" }, "description": "The members to filter by: author.id." },
                "search": {
                  "type": "object",
                  "required": ["parameter", "members"],
                  "additionalProperties": false,
                  "description": "Every word of the parameter must occur in one of the members, in any case.",
                  "properties": {
                    "parameter": { "type": "string", "minLength": 1 },
                    "members": { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } }
                  }
                },
                "sort": { "type": "string", "description": "The parameter with the members to sort by: -created_at,title." },
                "envelope": { "description": "The document around {{items}}: page, size, total, pages, next, previous." }
              }
            },
            "defaults": { "type": "object", "description": "Values for members that a new element lacks." },
            "created": { "type": "object", "description": "Members that the server sets on a new element." },
            "changed": { "type": "object", "description": "Members that the server sets on each change: {{now}}." },
            "schema": { "description": "A JSON Schema for elements; violations are answered with 422." },
            "errors": {
              "type": "object",
              "description": "The body of error responses by status: {{id}}, {{detail}}, {{fields}}.",
              "propertyNames": { "pattern": "^[45][0-9][0-9]$" }
            },
            "seed": { "type": "array", "items": { "type": "object" }, "description": "The initial elements of each session." }
          }
        }
    """#
}
