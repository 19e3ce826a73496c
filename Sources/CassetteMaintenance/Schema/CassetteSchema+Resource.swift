extension CassetteSchema {
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
