internal import CassetteHTTP
internal import CassetteJSON

/// Converts the values of parameters to the JSON that they represent (OpenAPI 3.1 §4.8.12.2).
struct ContractParameters {
  let path: [String: String]
  let query: [QueryItem]
  let headers: HTTPHeaders
  /// All parameters of the operation: the name of a parameter is not a member of another parameter's object.
  var all: [OpenAPIOperation.Parameter] = []

  /// Returns the JSON values that a parameter's value may represent, or nil if the parameter was not sent.
  ///
  /// `7` may be a number, a string or a list with one element: the schema decides which of them is valid. The result is
  /// empty if the parameter is empty and may be empty, so that there is nothing to check.
  func candidates(for parameter: OpenAPIOperation.Parameter) -> [[UInt8]]? {
    let text = raw(parameter)
    if parameter.isJSON { return text.map { [Array($0.utf8)] } }
    if parameter.allowsEmpty, text == "" { return [] }
    let form = parameter.form
    let list = form.isList ? list(parameter) : nil
    let isNested = parameter.style == "deepObject"
    let pairs = (form.isObject ? pairs(parameter) : nil)?.map { name, value in
      (steps: isNested ? NamedTexts.steps(of: name) : [name], text: value)
    }
    let isOne = form.isText && (list?.count ?? 1 <= 1 || !isRepeated(parameter))
    var found: [[UInt8]] = []
    for isTyped in [true, false] {
      if let pairs {
        found.append(form.object(pairs, isTyped: isTyped))
      }
      if let list { found.append(form.list(list, isTyped: isTyped)) }
      if isOne, let text { found.append(form.token(text, isTyped: isTyped)) }
    }
    // A list without elements is serialized as an empty string.
    if list == [""], !parameter.explodes { found.append(Array("[]".utf8)) }
    if found.isEmpty, let text, form.isObject || form.isList { found.append(JSONString.encode(text)) }
    return found.isEmpty ? nil : found
  }

  private func isRepeated(_ parameter: OpenAPIOperation.Parameter) -> Bool {
    parameter.location == .query && query.count { Self.isNamed($0.name, parameter) } > 1
  }

  private static func isNamed(_ name: String, _ parameter: OpenAPIOperation.Parameter) -> Bool {
    name == parameter.name || name == parameter.name + "[]"
  }

  /// Returns true if a query item belongs to a parameter.
  static func owns(_ parameter: OpenAPIOperation.Parameter, _ name: String) -> Bool {
    guard parameter.location == .query else { return false }
    if isNamed(name, parameter) { return true }
    if parameter.style == "deepObject" { return name.hasPrefix("\(parameter.name)[") }
    guard parameter.form.isObject, parameter.explodes else { return false }
    return parameter.form.members[name] != nil || !parameter.form.others.isEmpty
  }

  /// Returns the value of a parameter in the request, without decoding.
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
    case .cookie: return cookies(parameter.name).first
    }
  }

  private func cookies(_ name: String) -> [String] {
    headers.values(of: "Cookie").flatMap { field in
      field.split(separator: ";").compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].trimmingPrefix(" ") == name ? String(parts[1]) : nil
      }
    }
  }

  // MARK: Lists and objects

  private func list(_ parameter: OpenAPIOperation.Parameter) -> [String]? {
    if parameter.location == .query, parameter.explodes || parameter.style == "deepObject" {
      let values = query.filter { Self.isNamed($0.name, parameter) }.map { $0.value ?? "" }
      return values.isEmpty ? nil : values
    }
    if parameter.location == .cookie, parameter.explodes {
      // The style `form` joins the values in one cookie, `id=3&id=4`; some clients send one cookie for each value.
      let values = cookies(parameter.name).flatMap { parts(of: $0, separator: "&", without: "\(parameter.name)=") }
      if values.count > 1 { return values }
    }
    return raw(parameter).map { parts(of: $0, parameter) }
  }

  /// Splits a value that contains all elements of a list, by the separator of the parameter's location and style.
  private func parts(of value: String, _ parameter: OpenAPIOperation.Parameter) -> [String] {
    if parameter.location == .header {
      return parts(of: value, separator: ",").map { String($0.trimmingPrefix(" ")) }
    }
    switch parameter.style {
    case "spaceDelimited": return parts(of: value, separator: " ")
    case "pipeDelimited": return parts(of: value, separator: "|")
    case "matrix" where parameter.explodes:
      return parts(of: String(value.trimmingPrefix(";")), separator: ";", without: "\(parameter.name)=")
    // The examples of OpenAPI up to 3.0.3 separate the values with dots, later ones with commas (RFC 6570 §3.2.5).
    case "label" where parameter.explodes || !value.contains(","): return parts(of: value, separator: ".")
    default: return parts(of: value, separator: ",")
    }
  }

  private func parts(of value: String, separator: Character, without prefix: String = "") -> [String] {
    value.split(separator: separator, omittingEmptySubsequences: false).map { String($0.trimmingPrefix(prefix)) }
  }

  /// Returns the members of an object by name, or nil if there are no members, or if a name has no value.
  private func pairs(_ parameter: OpenAPIOperation.Parameter) -> [(String, String)]? {
    if parameter.style == "deepObject" {
      let found = query.compactMap { item -> (String, String)? in
        guard item.name.hasPrefix("\(parameter.name)["), item.name.hasSuffix("]"),
          let end = item.name.firstIndex(of: "]")
        else { return nil }
        let name = item.name[..<end].dropFirst(parameter.name.count + 1)
        return (String(name) + String(item.name[end...].dropFirst()), item.value ?? "")
      }
      return found.isEmpty ? nil : found
    }
    if parameter.location == .query, parameter.explodes {
      let found = query.compactMap { item -> (String, String)? in
        let name = item.name.hasSuffix("[]") ? String(item.name.dropLast(2)) : item.name
        let isMember = parameter.form.members[name] != nil
        guard isMember || !parameter.form.others.isEmpty && !isNamedElsewhere(item.name, parameter) else { return nil }
        return (name, item.value ?? "")
      }
      return found.isEmpty ? nil : found
    }
    guard let value = raw(parameter) else { return nil }
    let parts = parts(of: value, parameter)
    if parameter.explodes {
      return parts.map { part in
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (pair[0], pair.count > 1 ? pair[1] : "")
      }
    }
    guard parts.count % 2 == 0 else { return nil }
    return stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
  }

  private func isNamedElsewhere(_ name: String, _ parameter: OpenAPIOperation.Parameter) -> Bool {
    all.contains { other in
      other.location == .query && other.name != parameter.name
        && (Self.isNamed(name, other) || other.form.members[name] != nil && other.explodes)
    }
  }
}
