internal import CassetteHTTP
internal import CassetteJSON

/// Reads the values of parameters as the JSON that they stand for (OpenAPI 3.1 §4.8.12.2).
struct ContractParameters {
  let path: [String: String]
  let query: [QueryItem]
  let headers: HTTPHeaders

  /// The texts that a parameter's value may be, as JSON; nil where it was not sent.
  ///
  /// `7` may be a number or a text: the schema decides, which one of the two it takes.
  func candidates(for parameter: OpenAPIOperation.Parameter) -> [[UInt8]]? {
    if parameter.isJSON { return raw(parameter).map { [Array($0.utf8)] } }
    switch parameter.shape {
    case "array": return list(parameter).map { values in Self.both { Self.array(values, $0) } }
    case "object": return pairs(parameter).map { values in Self.both { Self.object(values, $0) } }
    default: return raw(parameter).map { value in Self.both { Self.token(value, $0) } }
    }
  }

  /// Tells whether a member of the query belongs to a parameter.
  static func owns(_ parameter: OpenAPIOperation.Parameter, _ name: String) -> Bool {
    guard parameter.location == .query else { return false }
    if name == parameter.name || name == parameter.name + "[]" { return true }
    if parameter.style == "deepObject" { return name.hasPrefix("\(parameter.name)[") }
    return parameter.shape == "object" && parameter.explodes && parameter.members.contains(name)
  }

  /// The value as it was sent.
  private func raw(_ parameter: OpenAPIOperation.Parameter) -> String? {
    switch parameter.location {
    case .path:
      guard let value = path[parameter.name] else { return nil }
      if parameter.style == "label" { return String(value.trimmingPrefix(".")) }
      return parameter.style == "matrix" ? String(value.trimmingPrefix(";\(parameter.name)=")) : value
    case .query: return query.last { $0.name == parameter.name }.map { $0.value ?? "" }
    case .header:
      let values = headers.values(of: parameter.name)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    case .cookie:
      for field in headers.values(of: "Cookie") {
        for pair in field.split(separator: ";") {
          let parts = pair.split(separator: "=", maxSplits: 1)
          if parts.count == 2, parts[0].trimmingPrefix(" ") == parameter.name { return String(parts[1]) }
        }
      }
      return nil
    }
  }

  private func list(_ parameter: OpenAPIOperation.Parameter) -> [String]? {
    if parameter.location == .query, parameter.explodes, parameter.style == "form" {
      let values = query.filter { $0.name == parameter.name || $0.name == parameter.name + "[]" }.map { $0.value ?? "" }
      return values.isEmpty ? nil : values
    }
    let separator: Character =
      switch parameter.style {
      case "spaceDelimited": " "
      case "pipeDelimited": "|"
      case "label" where parameter.explodes: "."
      default: ","
      }
    return raw(parameter).map { value in
      value.split(separator: separator, omittingEmptySubsequences: false).map {
        parameter.location == .header ? String($0.trimmingPrefix(" ")) : String($0)
      }
    }
  }

  private func pairs(_ parameter: OpenAPIOperation.Parameter) -> [(String, String)]? {
    if parameter.style == "deepObject" {
      let found = query.compactMap { item -> (String, String)? in
        guard item.name.hasPrefix("\(parameter.name)["), item.name.hasSuffix("]") else { return nil }
        return (String(item.name.dropFirst(parameter.name.count + 1).dropLast()), item.value ?? "")
      }
      return found.isEmpty ? nil : found
    }
    if parameter.location == .query, parameter.explodes {
      let found = query.filter { parameter.members.contains($0.name) }.map { ($0.name, $0.value ?? "") }
      return found.isEmpty ? nil : found
    }
    return raw(parameter).map { value in
      let parts = value.split(separator: ",").map(String.init)
      if parameter.explodes {
        return parts.map { part in
          let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
          return (pair[0], pair.count > 1 ? pair[1] : "")
        }
      }
      return stride(from: 0, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
    }
  }

  // MARK: JSON

  /// With values as what they look like, and as texts.
  private static func both(_ make: (Bool) -> [UInt8]) -> [[UInt8]] {
    let (typed, text) = (make(true), make(false))
    return typed == text ? [text] : [typed, text]
  }

  private static func token(_ value: String, _ isTyped: Bool) -> [UInt8] {
    let bytes = Array(value.utf8)
    if isTyped, let tree = JSONTree(bytes), case .scalar = tree.root.kind, tree.root.range == 0..<bytes.count,
      bytes.first != UInt8(ascii: "\"")
    {
      return bytes
    }
    return JSONString.encode(value)
  }

  private static func array(_ values: [String], _ isTyped: Bool) -> [UInt8] {
    Array("[".utf8) + values.map { token($0, isTyped) }.joined(separator: Array(",".utf8)) + Array("]".utf8)
  }

  private static func object(_ values: [(String, String)], _ isTyped: Bool) -> [UInt8] {
    let members = values.map { JSONString.encode($0.0) + Array(":".utf8) + token($0.1, isTyped) }
    return Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8)
  }
}
