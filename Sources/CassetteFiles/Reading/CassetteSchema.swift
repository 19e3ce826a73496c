/// The JSON Schema of the cassette's file, for editors: what may stand where, and what it means.
///
/// It says less than the reader does, which also looks at patterns, places, paths and times; it never says more.
package enum CassetteSchema {
  /// The schema, draft 7, with a line end.
  package static let text = #"""
    {
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "mockserver cassette",
      "description": "Recorded HTTP exchanges, for mockserver and CassetteTesting.",
      "type": "object",
      "required": ["cassette"],
      "additionalProperties": false,
      "properties": {
        "$schema": { "type": "string", "description": "Where this schema is, for editors." },
        "cassette": { "const": 1, "description": "The version of the format." },
        "origin": {
          "type": "string",
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/?@]+$",
          "description": "Scheme and authority that relative urls belong to."
        },
        "matching": {
          "enum": ["exact", "careful", "loose"],
          "description": "How like their recordings requests have to be."
        },
        "match": {
          "$ref": "#/definitions/match",
          "description": "Holds for all recordings that do not say otherwise: query, origin, headers, cookies, body."
        },
        "resource": {
          "description": "Collections that are really created in, changed and deleted from.",
          "anyOf": [
            { "$ref": "#/definitions/resource" },
            { "type": "array", "items": { "$ref": "#/definitions/resource" } }
          ]
        },
        "interactions": { "type": "array", "items": { "$ref": "#/definitions/interaction" } }
      },
      "definitions": {
    \#(resource)
        "interaction": {
          "type": "object",
          "required": ["request"],
          "oneOf": [{ "required": ["response"] }, { "required": ["failure"] }],
          "additionalProperties": false,
          "properties": {
            "id": { "type": "string", "minLength": 1, "description": "Unique in the file; derived when left out." },
            "request": { "$ref": "#/definitions/request" },
            "response": { "$ref": "#/definitions/response" },
            "failure": { "$ref": "#/definitions/failure" },
            "match": { "$ref": "#/definitions/match" },
            "replay": { "$ref": "#/definitions/replay" },
            "recorded": { "$ref": "#/definitions/recorded" }
          }
        },
        "request": {
          "type": "object",
          "required": ["method", "url"],
          "additionalProperties": false,
          "properties": {
            "method": { "type": "string", "minLength": 1, "description": "Case matters (RFC 9110 §9.1)." },
            "url": { "type": "string", "minLength": 1, "description": "/path?query, or absolute for another origin." },
            "headers": { "$ref": "#/definitions/headers" },
            "body": { "$ref": "#/definitions/body" }
          }
        },
        "response": {
          "type": "object",
          "required": ["status"],
          "additionalProperties": false,
          "properties": {
            "interim": {
              "type": "array",
              "items": { "$ref": "#/definitions/interim" },
              "description": "1xx responses that came before (RFC 9110 §15.2)."
            },
            "status": { "type": "integer", "minimum": 200, "maximum": 999 },
            "reason": { "type": "string", "description": "Only when it is not the standard phrase." },
            "headers": { "$ref": "#/definitions/headers" },
            "coding": {
              "type": "string",
              "description": "The content codings that the body had on the wire, as applied: gzip, or gzip, br. Here it is decoded."
            },
            "body": { "$ref": "#/definitions/body" },
            "trailers": { "$ref": "#/definitions/headers" }
          }
        },
        "interim": {
          "type": "object",
          "required": ["status"],
          "additionalProperties": false,
          "properties": {
            "status": { "type": "integer", "minimum": 100, "maximum": 199, "not": { "const": 101 } },
            "headers": { "$ref": "#/definitions/headers" }
          }
        },
        "headers": {
          "type": "array",
          "description": "Fields in the order they were sent, repeats and case kept.",
          "items": {
            "type": "array",
            "description": "Name and value; latin1 behind them says that the value is sent in ISO-8859-1.",
            "items": [{ "type": "string" }, { "type": "string" }, { "const": "latin1" }],
            "minItems": 2,
            "maxItems": 3
          }
        },
        "text": {
          "description": "A string, or several that are joined.",
          "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }]
        },
        "body": {
          "type": "object",
          "description": "Exactly one of json, text, base64, file and chunks.",
          "oneOf": [
            { "required": ["json"] },
            { "required": ["text"] },
            { "required": ["base64"] },
            { "required": ["file"] },
            { "required": ["chunks"] }
          ],
          "dependencies": { "style": ["json"], "newline": ["json"], "end": ["chunks"] },
          "additionalProperties": false,
          "properties": {
            "json": { "description": "Any JSON; keys, order and numbers are played as they stand." },
            "text": { "$ref": "#/definitions/text" },
            "base64": { "$ref": "#/definitions/text" },
            "file": { "type": "string", "description": "A file in the cassette's folder: bodies/logo.png." },
            "chunks": { "type": "array", "items": { "$ref": "#/definitions/chunk" } },
            "style": { "enum": ["compact", "spaced", "indent2", "indent4"], "description": "How the json is played." },
            "newline": { "type": "boolean", "description": "Whether a line end follows the json." },
            "end": { "enum": ["complete", "reset"], "description": "reset: the origin broke off." }
          }
        },
        "chunk": {
          "type": "object",
          "oneOf": [{ "required": ["text"] }, { "required": ["base64"] }],
          "additionalProperties": false,
          "properties": {
            "after": { "type": "number", "minimum": 0, "maximum": 86400, "description": "Seconds of pause before it." },
            "text": { "$ref": "#/definitions/text" },
            "base64": { "$ref": "#/definitions/text" }
          }
        },
        "failure": {
          "type": "object",
          "description": "In place of a response: the exchange failed, in the codes of URLError.",
          "anyOf": [{ "required": ["code"] }, { "required": ["name"] }],
          "additionalProperties": false,
          "properties": { "code": { "type": "integer" }, "name": { "type": "string" } }
        },
        "recorded": {
          "type": "object",
          "description": "When it was, how long it took, in seconds, and which test recorded it.",
          "additionalProperties": false,
          "properties": {
            "at": { "type": "string", "format": "date-time" },
            "firstByte": { "type": "number", "minimum": 0 },
            "total": { "type": "number", "minimum": 0 },
            "by": { "type": "string" }
          }
        },
        "match": {
          "type": "object",
          "description": "Narrows or widens what is answered.",
          "dependencies": { "url": { "not": { "anyOf": [{ "required": ["path"] }, { "required": ["query"] }] } } },
          "additionalProperties": false,
          "properties": {
            "method": {
              "description": "A method, several, or ANY.",
              "anyOf": [
                { "type": "string", "minLength": 1 },
                {
                  "type": "array",
                  "minItems": 1,
                  "items": { "type": "string", "minLength": 1, "not": { "const": "ANY" } }
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
            "equals": { "type": "string" },
            "equalsIgnoringCase": { "type": "string" },
            "contains": { "type": "string" },
            "doesNotContain": { "type": "string" },
            "matches": { "type": "string", "description": "A pattern of the whole value." },
            "doesNotMatch": { "type": "string" },
            "absent": { "type": "boolean" }
          }
        },
        "matchBody": {
          "type": "object",
          "minProperties": 1,
          "description": "ignore, extra and order without json say in what the recorded body may differ.",
          "additionalProperties": false,
          "properties": {
            "equals": { "type": "string" },
            "equalsIgnoringCase": { "type": "string" },
            "contains": { "type": "string" },
            "doesNotContain": { "type": "string" },
            "matches": { "type": "string", "description": "A pattern of the whole body." },
            "doesNotMatch": { "type": "string" },
            "absent": { "type": "boolean" },
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
            "form": { "$ref": "#/definitions/named" }
          }
        },
        "replay": {
          "type": "object",
          "description": "How it plays.",
          "additionalProperties": false,
          "properties": {
            "repeat": { "enum": ["last", "once", "loop", "first"], "description": "What follows the last of several." },
            "order": { "const": "count", "description": "It waits for no change: only the count decides." },
            "delay": {
              "description": "Seconds, or as long as it was recorded to take.",
              "anyOf": [{ "const": "recorded" }, { "type": "number", "minimum": 0, "maximum": 86400 }]
            },
            "fault": { "enum": ["reset", "empty", "malformed", "timeout", "truncate"] },
            "when": { "$ref": "#/definitions/states", "description": "Scenarios, and the states in which it answers." },
            "then": { "$ref": "#/definitions/states", "description": "Scenarios, and their states after it has." }
          }
        },
        "states": { "type": "object", "additionalProperties": { "type": "string" } }
      }
    }

    """#
}
