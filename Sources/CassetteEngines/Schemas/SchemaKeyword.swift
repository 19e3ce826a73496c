/// The keywords that contain subschemas.
enum SchemaKeyword {
  /// The structure of the subschemas in a keyword's value.
  enum Children {
    case none, one, list, map, oneOrList
  }

  static func children(of name: String, _ draft: JSONSchema.Draft) -> Children {
    switch name {
    case "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties": .one
    case "allOf", "anyOf", "oneOf": .list
    case "properties", "patternProperties", "definitions": .map
    case "items": draft == .draft7 ? .oneOrList : .one
    case "additionalItems": draft == .draft7 ? .one : .none
    case "dependencies": draft == .draft7 ? .map : .none
    case "prefixItems": draft == .draft2020 ? .list : .none
    case "unevaluatedItems", "unevaluatedProperties", "contentSchema": draft == .draft2020 ? .one : .none
    case "$defs", "dependentSchemas": draft == .draft2020 ? .map : .none
    default: .none
    }
  }
}
