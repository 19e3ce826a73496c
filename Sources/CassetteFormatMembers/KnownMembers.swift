package import CassetteJSON

/// A table of a format's members, which tells those that carry nothing that a cassette plays.
///
/// A member in no table is unknown: a slip of the pen, a newer version, somebody's extension. An import names it.
package indirect enum KnownMembers: Sendable {
  /// The reason why a member is dropped without a message.
  package enum Harmless: Sendable {
    /// A measurement that is made anew: a time, a duration, a number of bytes.
    case measured
    /// Of the connection, which a replay has its own of: addresses, ports, versions of HTTP.
    case connection
    /// Of the program that recorded: its name, its ids, what it showed and what it thought of the request.
    case recorder
    /// Written for people: names, comments, labels.
    case words
    /// Said a second time: cookies, queries and parameters beside the fields, the URL and the body they stand in.
    case repeated
  }

  /// Taken over: a text.
  case text
  /// Taken over: a text, a number or a word.
  case scalar
  /// Taken over or named by its reader, whatever it is.
  case whole
  /// Taken over: these members, and no others are known.
  case object([String: KnownMembers])
  /// Taken over: each element.
  case list(KnownMembers)
  /// Taken over: an object whose names are data.
  case named(KnownMembers)
  /// The first that fits.
  case either([KnownMembers])
  /// Left without a word.
  case harmless(Harmless)
  /// Known, and nothing that a cassette can hold: named where it says anything.
  case foreign
}

extension KnownMembers: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, KnownMembers)...) {
    self = .object(Dictionary(elements) { first, _ in first })
  }

  /// Returns a table that also has other members, all of one kind.
  func and(_ other: KnownMembers, _ names: String) -> KnownMembers {
    guard case .object(var members) = self else { return self }
    for name in names.split(separator: " ") where members[String(name)] == nil { members[String(name)] = other }
    return .object(members)
  }

  /// Looks up what is known of one member.
  package subscript(name: String) -> KnownMembers? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// A name with a value, or with several.
  static let values = either([.scalar, .list(.scalar)])

  // MARK: Finding what is not known

  /// Calls `leave` with the name and value of everything that no reader takes over and that may carry something.
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

  /// `request.headers[]._order`; what has a name of its own is folded to `*`.
  package static func text(_ path: [String]) -> String {
    path.reduce("") { $1 == "[]" ? $0 + $1 : $0.isEmpty ? String($1.prefix(100)) : "\($0).\($1.prefix(100))" }
  }
}

extension JSONValue {
  /// True if the value says nothing: no text, no member, no element, `null`, `false`, or zero.
  fileprivate var isEmpty: Bool {
    isNull || string == "" || isArray && elements.isEmpty || isObject && members.isEmpty
      || !isString && (scalar == "false" || scalar == "0")
  }
}
