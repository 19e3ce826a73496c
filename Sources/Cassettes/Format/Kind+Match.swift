import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Reading and writing the parts of `match` that are not conditions on values.
extension Kind where Value == MatchRules.Methods {
  /// A method, a list of methods, `ANY`, or all methods with exceptions.
  static var methods: Kind {
    let schema =
      #""anyOf": [{ "type": "string", "minLength": 1 }, "#
      + "{ \(reference("methods")) }, { \(reference("otherMethods")) }]"
    return Kind(schema) { reader, bytes, _ throws(CassetteError) in
      try reader.readMethods(bytes)
    } write: { writer, methods throws(CassetteError) in
      switch methods {
      case .any: writer.append("ANY")
      case .listed(let methods) where methods.count == 1: writer.append(methods[0].rawValue)
      case .listed(let methods): writer.append(methods.map(\.rawValue))
      case .except(let methods):
        writer.open("{")
        writer.key("not")
        writer.append(methods.map(\.rawValue))
        writer.close("}")
      }
    }
  }
}

extension Kind where Value == MatchRules.Path {
  /// A path, which may have names in braces, or a condition.
  static var path: Kind {
    Kind(reference("value")) { reader, bytes, what throws(CassetteError) in
      guard reader.isAt(UInt8(ascii: "\""), bytes) else {
        return try reader.readCondition(bytes, what).map { .condition($0) }
      }
      let start = reader.at
      guard let text = try reader.readText(bytes, what) else { return nil }
      if text == "ignore" { return .condition(.ignore) }
      if text.hasPrefix("/"), !text.contains("?"), text.withUTF8Span(CassetteFileGrammar.isTarget) {
        return MatchRules.path(text)
      }
      try reader.report(
        bytes, start,
        "\(what) must be a path such as \"/users/{name}\", without a query, or an object of conditions")
      return nil
    } write: { writer, path throws(CassetteError) in
      switch path {
      case .literal(let text): writer.append(text)
      case .template(let template): writer.append(template.text)
      case .condition(let condition): writer.write(condition, isPath: true)
      }
    }
  }
}

extension Kind where Value == [String] {
  /// Names of header fields, written on one line.
  static var fieldNames: Kind {
    let name = Kind<String>(#""type": "string", "minLength": 1"#) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let name = try reader.readText(bytes, what) else { return nil }
      return try reader.checkFieldName(name, bytes, start) ? name : nil
    }
    return name.list { $0.append($1) }
  }
}

/// The members of `basic` in an object.
struct BasicObject: Hashable, Sendable {
  var user: Condition?
  var password: Condition?
}

extension Kind where Value == BasicObject {
  /// A user name, or an object with a user name and a password.
  static var basic: Kind {
    Kind("\"anyOf\": [{ \"type\": \"string\" }, { \(reference("basic")) }]") {
      reader, bytes, what throws(CassetteError) in
      if reader.isAt(UInt8(ascii: "{"), bytes) {
        var object = BasicObject()
        return try reader.read(bytes, what, Grammar.basic, into: &object) ? object : nil
      }
      return try reader.readCondition(bytes, what).map { BasicObject(user: $0) }
    } write: { writer, object throws(CassetteError) in
      // A condition on the user written as an object would be read as an object of user and password.
      if case .all(let terms)? = object.user, terms.count == 1, case .equals(let text) = terms[0], text != "ignore",
        object.password == nil
      {
        return writer.append(text)
      }
      try writer.write(Grammar.basic, object)
    }
  }
}

extension Kind where Value == AuthorizationRule {
  /// `basic`, `bearer`, `none`, or an object with conditions.
  static var authorization: Kind {
    Kind("\"anyOf\": [{ \"enum\": [\"basic\", \"bearer\", \"none\"] }, { \(reference("authorization")) }]") {
      reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard reader.isAt(UInt8(ascii: "\""), bytes) else {
        var rules: [AuthorizationRule] = []
        guard try reader.read(bytes, what, Grammar.authorization, into: &rules) else { return nil }
        if rules.count != 1 {
          try reader.report(bytes, start, "\(what) must have exactly one of \"basic\" and \"bearer\"")
        }
        return rules.first
      }
      switch try reader.readText(bytes, what) {
      case nil: return nil
      case "basic": return .basic(user: nil, password: nil)
      case "bearer": return .bearer(nil)
      case "none": return AuthorizationRule.none
      default:
        try reader.report(
          bytes, start, "\(what) must be \"basic\", \"bearer\", \"none\", or an object with \"basic\" or \"bearer\"")
        return nil
      }
    } write: { writer, rule throws(CassetteError) in
      switch rule {
      case .none: writer.append("none")
      case .basic(nil, nil): writer.append("basic")
      case .bearer(nil): writer.append("bearer")
      case .basic, .bearer: try writer.write(Grammar.authorization, [rule])
      }
    }
  }
}

extension CassetteFileReader {
  fileprivate mutating func readMethods(_ bytes: Span<UInt8>) throws(CassetteError) -> MatchRules.Methods? {
    let start = at
    var names: [String] = []
    if isAt(UInt8(ascii: "{"), bytes) {
      _ = try read(bytes, "\"method\"", Grammar.methods, into: &names)
      return names.isEmpty ? nil : .except(names.map { HTTPMethod($0) })
    }
    if isAt(UInt8(ascii: "["), bytes) {
      names = try readMethodList(bytes)
    } else {
      names = try readMethod(bytes)
      if names == ["ANY"] { return .any }
    }
    if names.contains("ANY") {
      try report(bytes, start, "\"ANY\" cannot be combined with other methods")
      return nil
    }
    return names.isEmpty ? nil : .listed(names.map { HTTPMethod($0) })
  }

  mutating func readMethodList(_ bytes: Span<UInt8>) throws(CassetteError) -> [String] {
    let start = at
    var names: [String] = []
    guard var list = try openList(bytes, "\"method\"") else { return [] }
    while try nextElement(bytes, &list) { names += try readMethod(bytes) }
    if names.isEmpty { try report(bytes, start, "\"method\" is an empty list: write \"ANY\" for all methods") }
    return names
  }

  private mutating func readMethod(_ bytes: Span<UInt8>) throws(CassetteError) -> [String] {
    let start = at
    guard let name = try readText(bytes, "\"method\"") else { return [] }
    guard name.withUTF8Span(CassetteFileGrammar.isToken) else {
      try report(bytes, start, "\"method\" must be a method such as \"GET\", a list of them, or \"ANY\"")
      return []
    }
    return [isFile ? name : HTTPMethod(ignoringCase: name).rawValue]
  }
}
