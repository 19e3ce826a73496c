package import CassetteJSON

/// A table of the members of a format, which marks the members that can be dropped.
///
/// A member without an entry is unknown: a typing error, a newer version, or an extension. An import reports it.
package indirect enum KnownMembers: Sendable {
  /// An imported string.
  case text
  /// An imported string, number or boolean.
  case scalar
  /// A value of any type, which is imported or reported by its reader.
  case whole
  /// An imported object with these members only.
  case object([String: KnownMembers])
  /// An imported array with elements of one form.
  case list(KnownMembers)
  /// An imported object whose member names are data.
  case named(KnownMembers)
  /// Alternatives, the first of which that fits is used.
  case either([KnownMembers])
  /// A member that is dropped without a message.
  case harmless
  /// A known member that a cassette cannot represent; it is reported unless it is empty.
  case foreign

  /// The entry of a member; nil if the member is unknown.
  package subscript(name: String) -> KnownMembers? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  // MARK: Finding what is not known

  /// Calls `leave` with the name and value of each member that is neither imported nor known to be irrelevant.
  package func check(_ value: JSONValue, at path: [String] = [], _ leave: (String, JSONValue) -> Void) {
    var path = path
    check(value, &path, leave)
  }

  private func check(_ value: JSONValue, _ path: inout [String], _ leave: (String, JSONValue) -> Void) {
    guard !value.isNull else { return }
    switch self {
    case .harmless, .whole: return
    case .foreign:
      if !value.isEmpty { leave(Self.text(path), value) }
    case .either(let shapes):
      guard let shape = shapes.first(where: { $0.fits(value) }) else { fallthrough }
      shape.check(value, &path, leave)
    case _ where !fits(value):
      if !value.isEmpty { leave("\(Self.text(path)) in a form that is not known", value) }
    case .text, .scalar: return
    case .list(let element):
      path.append("[]")
      for value in value.elements { element.check(value, &path, leave) }
      path.removeLast()
    case .named(let member):
      path.append("*")
      for (_, value) in value.members { member.check(value, &path, leave) }
      path.removeLast()
    case .object(let known):
      var seen: Set<String> = []
      for (name, value) in value.members {
        path.append(name)
        if let member = known[name] {
          if !seen.insert(name).inserted { leave("\(Self.text(path)) a second time", value) }
          member.check(value, &path, leave)
        } else {
          leave("\(Self.text(path)), which is not known", value)
        }
        path.removeLast()
      }
    }
  }

  private func fits(_ value: JSONValue) -> Bool {
    switch self {
    case .text: value.isString
    case .scalar: !value.isObject && !value.isArray
    case .object, .named: value.isObject
    case .list: value.isArray
    case .whole, .harmless, .foreign: true
    case .either(let shapes): shapes.contains { $0.fits(value) }
    }
  }

  /// Returns the name of a member for messages: `request.headers[]._order`.
  ///
  /// Names that are data become `*`.
  package static func text(_ path: [String]) -> String {
    path.reduce("") { $1 == "[]" ? $0 + $1 : $0.isEmpty ? String($1.prefix(100)) : "\($0).\($1.prefix(100))" }
  }
}

extension JSONValue {
  /// True if the value is an empty string, array or object, `null`, `false`, or zero.
  fileprivate var isEmpty: Bool {
    isNull || string == "" || isArray && elements.isEmpty || isObject && members.isEmpty
      || !isString && (scalar == "false" || scalar == "0")
  }
}
