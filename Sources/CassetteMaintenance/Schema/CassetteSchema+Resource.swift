extension CassetteSchema {
  /// The definition of a resource, as a member of the schema's definitions.
  static let resource = #"""
        "resource": {
          "type": "object",
          "required": ["path"],
          "additionalProperties": false,
          "properties": {
            "path": {
              "description": "The path of the collection, or several; elements say that they are at the first.",
              "anyOf": [
                { "type": "string", "pattern": "^/" },
                { "type": "array", "minItems": 1, "items": { "type": "string", "pattern": "^/" } }
              ]
            },
            "id": { "type": "string", "minLength": 1, "description": "The member that holds an element's name: id." },
            "headers": {
              "type": "object",
              "description": "Header fields of each answer with content.",
              "additionalProperties": { "type": "string" }
            },
            "operations": {
              "type": "object",
              "description": "What can be done, and the status it is answered with.",
              "propertyNames": { "enum": ["list", "create", "clear", "read", "replace", "patch", "delete"] },
              "additionalProperties": { "type": "integer", "minimum": 200, "maximum": 299 }
            },
            "list": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "page": { "type": "string", "description": "The parameter that chooses a page, from 1." },
                "size": { "type": "string", "description": "The parameter that says how many elements a page has." },
                "perPage": { "type": "integer", "minimum": 1, "maximum": 1000 },
                "missingPage": {
                  "type": "integer", "minimum": 400, "maximum": 499,
                  "description": "The status for a page that is not there, instead of an empty page."
                },
                "filter": { "type": "array", "items": { "type": "string" }, "description": "Members: author.id." },
                "search": {
                  "type": "object",
                  "required": ["parameter", "members"],
                  "additionalProperties": false,
                  "description": "Every word of the parameter is in one of the members, whatever its case.",
                  "properties": {
                    "parameter": { "type": "string", "minLength": 1 },
                    "members": { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } }
                  }
                },
                "sort": { "type": "string", "description": "The parameter that names members: -created_at,title." },
                "envelope": { "description": "What stands around {{items}}: page, size, total, pages, next, previous." }
              }
            },
            "defaults": { "type": "object", "description": "Members of a new element that were not sent." },
            "created": { "type": "object", "description": "Members that the server gives to a new element." },
            "changed": { "type": "object", "description": "Members that the server sets at each change: {{now}}." },
            "schema": { "description": "A JSON Schema of what may be sent; else 422." },
            "errors": {
              "type": "object",
              "description": "What stands in refusals, by status: {{id}}, {{detail}}, {{fields}}.",
              "propertyNames": { "pattern": "^[45][0-9][0-9]$" }
            },
            "seed": { "type": "array", "items": { "type": "object" }, "description": "What each session begins with." }
          }
        }
    """#
}
