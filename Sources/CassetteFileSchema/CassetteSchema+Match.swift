/// The part of the schema for rules that narrow or widen the requests a recording answers.
extension CassetteSchema {
  static let match = #"""
        "match": {
          "type": "object",
          "description": "Narrows or widens what is answered.",
          "dependencies": { "url": { "not": { "anyOf": [{ "required": ["path"] }, { "required": ["query"] }] } } },
          "additionalProperties": false,
          "properties": {
            "method": {
              "description": "A method, several, ANY, or all but some.",
              "anyOf": [
                { "type": "string", "minLength": 1 },
                { "$ref": "#/definitions/methods" },
                {
                  "type": "object",
                  "required": ["not"],
                  "additionalProperties": false,
                  "properties": { "not": { "$ref": "#/definitions/methods" } }
                }
              ]
            },
            "url": { "$ref": "#/definitions/value" },
            "path": { "$ref": "#/definitions/value", "description": "/users/{name}/repos, or conditions." },
            "query": { "$ref": "#/definitions/named" },
            "origin": { "const": "ignore", "description": "It answers for any origin." },
            "headers": { "$ref": "#/definitions/named" },
            "recordedHeaders": {
              "type": "array",
              "items": { "type": "string", "minLength": 1 },
              "description": "Fields that have to be as they were recorded."
            },
            "cookies": { "$ref": "#/definitions/named" },
            "authorization": {
              "description": "Basic or bearer credentials, or none.",
              "anyOf": [{ "enum": ["basic", "bearer", "none"] }, { "$ref": "#/definitions/authorization" }]
            },
            "body": {
              "anyOf": [
                { "const": "ignore" },
                { "$ref": "#/definitions/matchBody" },
                { "type": "array", "items": { "$ref": "#/definitions/matchBody" } }
              ]
            },
            "priority": { "type": "integer", "description": "The greater comes first." }
          }
        },
        "authorization": {
          "type": "object",
          "minProperties": 1,
          "maxProperties": 1,
          "additionalProperties": false,
          "properties": {
            "basic": { "anyOf": [{ "type": "string" }, { "$ref": "#/definitions/basic" }] },
            "bearer": { "$ref": "#/definitions/value" }
          }
        },
        "basic": {
          "type": "object",
          "additionalProperties": false,
          "properties": { "user": { "$ref": "#/definitions/value" }, "password": { "$ref": "#/definitions/value" } }
        },
        "part": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "name": { "$ref": "#/definitions/value" },
            "filename": { "$ref": "#/definitions/value" },
            "headers": { "$ref": "#/definitions/named" },
            "body": { "anyOf": [{ "$ref": "#/definitions/matchBody" }, { "$ref": "#/definitions/bodies" }] },
            "every": { "type": "boolean", "description": "Every part has to be like this." }
          }
        },
        "graphql": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "operation": { "$ref": "#/definitions/value" },
            "type": { "$ref": "#/definitions/value", "description": "query, mutation or subscription." },
            "query": { "type": "string", "description": "The document, in any spelling." },
            "variables": { "$ref": "#/definitions/named", "description": "Values at paths: $.login." }
          }
        },
        "jsonrpc": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "method": { "$ref": "#/definitions/value" },
            "params": { "$ref": "#/definitions/named", "description": "Values at paths: $[0]." }
          }
        },
        "methods": {
          "type": "array",
          "minItems": 1,
          "items": { "type": "string", "minLength": 1, "not": { "const": "ANY" } }
        },
        "value": {
          "description": "A text that it equals, ignore, conditions, or a list of them that all hold.",
          "anyOf": [
            { "type": "string" },
            { "$ref": "#/definitions/condition" },
            { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/condition" } }
          ]
        },
        "named": { "type": "object", "additionalProperties": { "$ref": "#/definitions/value" } },
        "condition": {
          "type": "object",
          "minProperties": 1,
          "additionalProperties": false,
          "properties": {
    \#(terms(of: "value"))
            "before": { "type": "string", "description": "A time of RFC 3339, or a date." },
            "after": { "type": "string" },
            "not": { "$ref": "#/definitions/value" },
            "and": { "$ref": "#/definitions/values" },
            "or": { "$ref": "#/definitions/values" },
            "includes": { "$ref": "#/definitions/values", "description": "Each is met by one of several values." },
            "hasExactly": { "$ref": "#/definitions/values", "description": "As many values, and each is met." }
          }
        },
        "texts": { "type": "array", "minItems": 1, "items": { "type": "string" } },
        "values": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/value" } },
        "bodies": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/matchBody" } },
        "matchBody": {
          "type": "object",
          "minProperties": 1,
          "description": "ignore, extra and order without json say in what the recorded body may differ.",
          "additionalProperties": false,
          "properties": {
    \#(terms(of: "body"))
            "before": { "type": "string" },
            "after": { "type": "string" },
            "and": { "$ref": "#/definitions/bodies" },
            "or": { "$ref": "#/definitions/bodies" },
            "not": { "$ref": "#/definitions/matchBody" },
            "json": { "description": "The JSON it is, whatever its spaces and the order of its members." },
            "ignore": {
              "type": "array",
              "items": { "type": "string" },
              "description": "Places that play no part: $.sentAt, $.items[*].id."
            },
            "extra": { "const": "ignore", "description": "Members that json does not have play no part." },
            "order": { "const": "ignore", "description": "The order of lists plays no part." },
            "base64": { "type": "string" },
            "values": { "$ref": "#/definitions/named", "description": "Values at places of a JSON: $.user.name." },
            "form": { "$ref": "#/definitions/named" },
            "schema": {
              "type": ["object", "boolean"],
              "description": "A JSON Schema of draft 2020-12, or of draft-07 where its $schema says so."
            },
            "parts": {
              "type": "array",
              "description": "Parts of a multipart body, each of which has to be there.",
              "items": { "$ref": "#/definitions/part" }
            },
            "graphql": { "$ref": "#/definitions/graphql" },
            "jsonrpc": { "$ref": "#/definitions/jsonrpc" }
          }
        },

    """#

  /// The terms that a condition on a value and one on a body have in common.
  private static func terms(of what: String) -> String {
    #"""
            "equals": { "type": "string" },
            "equalsIgnoringCase": { "type": "string" },
            "contains": { "type": "string" },
            "doesNotContain": { "type": "string" },
            "matches": { "type": "string", "description": "A pattern of the whole \#(what)." },
            "doesNotMatch": { "type": "string" },
            "absent": { "type": "boolean" },
            "oneOf": { "$ref": "#/definitions/texts" },
            "atLeast": { "type": "number" },
            "above": { "type": "number" },
            "atMost": { "type": "number" },
            "below": { "type": "number" },
    """#
  }
}
