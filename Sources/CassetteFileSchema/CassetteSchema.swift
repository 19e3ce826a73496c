/// The JSON Schema of the cassette's file, for editors: what may stand where, and what it means.
///
/// It says less than the reader does, which also looks at patterns, places, paths and times; it never says more.
package enum CassetteSchema {
  /// The schema, draft 7, with a line end.
  package static let text = opening + match + closing

  private static let opening = #"""
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
        "recording": { "const": "never", "description": "Tests play the file in every mode, and never record into it." },
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
            "template": {
              "type": "boolean",
              "description": "Whether {{query.page}}, {{uuid}} and their like in headers and body are filled in."
            },
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
            "end": { "enum": ["complete", "reset", "close"], "description": "The origin broke off, or closed early." }
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
            "by": { "type": "string" },
            "cut": { "type": "boolean", "description": "The client left before the end of the answer." }
          }
        },

    """#

  private static let closing = #"""
        "replay": {
          "type": "object",
          "description": "How it plays.",
          "additionalProperties": false,
          "properties": {
            "repeat": { "enum": ["last", "once", "loop", "first"], "description": "What follows the last of several." },
            "order": { "const": "count", "description": "It waits for no change: only the count decides." },
            "delay": { "$ref": "#/definitions/latency" },
            "chunkDelay": { "$ref": "#/definitions/latency", "description": "Before each piece of a streamed body." },
            "bytesPerSecond": { "type": "integer", "minimum": 1 },
            "fault": { "anyOf": [{ "$ref": "#/definitions/faultKind" }, { "$ref": "#/definitions/fault" }] },
            "when": { "$ref": "#/definitions/states", "description": "Scenarios, and the states in which it answers." },
            "then": { "$ref": "#/definitions/states", "description": "Scenarios, and their states after it has." }
          }
        },
        "latency": {
          "description": "Seconds, recorded, fitted, 50ms, 20ms..80ms, or a median and a sigma: 80ms~0.4.",
          "anyOf": [{ "type": "string" }, { "type": "number", "minimum": 0, "maximum": 86400 }]
        },
        "faultKind": {
          "enum": [
            "reset", "empty", "malformed", "timeout", "truncate", "stall", "badChunk", "garbage", "never"
          ]
        },
        "fault": {
          "type": "object",
          "description": "What goes wrong, and when.",
          "required": ["kind"],
          "additionalProperties": false,
          "properties": {
            "kind": { "$ref": "#/definitions/faultKind" },
            "probability": { "type": "number", "minimum": 0, "maximum": 1 },
            "first": { "type": "integer", "minimum": 0, "description": "Only so many times." },
            "every": { "type": "integer", "minimum": 1, "description": "Each time that this number is reached." },
            "after": { "type": "integer", "minimum": 0, "description": "Bytes of the body that come before it." }
          }
        },
        "states": { "type": "object", "additionalProperties": { "type": "string" } }
      }
    }

    """#
}
