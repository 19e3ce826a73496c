import CassetteHTTP
internal import CassetteJSON
package import Cassettes

/// An exchange defined in code, for cases that need no file.
///
/// Several answers play in order, and the last one is repeated. A stub takes precedence over recordings of cassettes,
/// and a stub of an inner scope (a test) over one of an outer scope (its suite). Messages contain the file and line of
/// the stub.
public struct CassetteStub: Sendable {
  static let cassette = "stubs"

  let request: Request
  let answers: [Answer]
  package let place: SourcePlace

  /// Creates a stub.
  ///
  /// - Parameters:
  ///   - request: The requests to answer.
  ///   - answers: The answers to successive requests; the last answer is repeated.
  ///   - filePath: The file of the stub.
  ///   - line: The line of the stub.
  ///   - column: The column of the stub.
  public init(
    _ request: Request, _ answers: Answer..., filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(request, answers, place: SourcePlace(file: filePath, line: line, column: column))
  }

  package init(_ request: Request, _ answers: [Answer], place: SourcePlace) {
    self.request = request
    self.answers = answers.isEmpty ? [.status(200)] : answers
    self.place = place
  }

  /// A readable id: `get-users-kean`.
  var id: String {
    let path = request.url.prefix { $0 != "?" }
    let words = path.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    let method = request.method?.rawValue.lowercased() ?? "any"
    return "\(method)-\(words.isEmpty ? "root" : words)"
  }

  /// True if a gate holds any of the answers.
  package var isHeld: Bool { answers.contains { $0.gate != nil } }

  /// The error in the stub, with its position; nil if it is valid.
  package var problem: CassetteError? {
    guard let text = request.problem ?? answers.lazy.compactMap(\.problem).first else { return nil }
    return error(text)
  }

  func error(_ text: String) -> CassetteError {
    CassetteError(file: place.file, line: place.line, column: place.column, message: text)
  }

  /// The priority, which is greater than the priorities in cassettes; the depth of the scope is added to it.
  static let priority = 1_000_000

  func interaction(id: String, _ answer: Answer, scope: Int) -> Interaction {
    var interaction = Interaction(id: id, method: request.method ?? .get, url: request.url, outcome: answer.recorded)
    interaction.match = request.rules
    interaction.match.priority = Self.priority + scope
    interaction.place = place
    return interaction
  }
}

extension CassetteStub {
  /// JSON written as Swift literals; members keep their order.
  public enum JSON: Sendable {
    /// An object.
    case object([(String, CassetteStub.JSON)])
    /// An array.
    case array([CassetteStub.JSON])
    /// A string.
    case string(String)
    /// A number in its JSON representation.
    case number(String)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null

    var text: String {
      switch self {
      case .object(let members):
        "{\(members.map { "\(Self.quoted($0.0)):\($0.1.text)" }.joined(separator: ","))}"
      case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
      case .string(let string): Self.quoted(string)
      case .number(let number): number
      case .bool(let bool): bool ? "true" : "false"
      case .null: "null"
      }
    }

    private static func quoted(_ string: String) -> String {
      String(decoding: JSONString.encode(string), as: UTF8.self)
    }
  }
}

extension CassetteStub.JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Creates an object.
  public init(dictionaryLiteral members: (String, CassetteStub.JSON)...) { self = .object(members) }
  /// Creates an array.
  public init(arrayLiteral values: CassetteStub.JSON...) { self = .array(values) }
  /// Creates a string.
  public init(stringLiteral string: String) { self = .string(string) }
  /// Creates a number.
  public init(integerLiteral number: Int) { self = .number("\(number)") }
  /// Creates a number.
  public init(floatLiteral number: Double) { self = number.isFinite ? .number("\(number)") : .null }
  /// Creates `true` or `false`.
  public init(booleanLiteral bool: Bool) { self = .bool(bool) }
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
}

extension CassetteStub.JSON {
  /// Parses JSON; returns nil if it is invalid.
  init?(_ bytes: [UInt8]) {
    guard let tree = JSONTree(bytes) else { return nil }
    self = Self.value(tree.root, in: tree.bytes)
  }

  private static func value(_ node: JSONTree.Node, in bytes: [UInt8]) -> CassetteStub.JSON {
    switch node.kind {
    case .object(let members):
      return .object(members.map { (String(decoding: $0.name, as: UTF8.self), value($0.value, in: bytes)) })
    case .array(let elements): return .array(elements.map { value($0, in: bytes) })
    case .scalar:
      let token = bytes[node.range]
      switch token.first {
      case UInt8(ascii: "\""): return .string(String(decoding: JSONTree.text(ofString: token), as: UTF8.self))
      case UInt8(ascii: "t"): return .bool(true)
      case UInt8(ascii: "f"): return .bool(false)
      case UInt8(ascii: "n"): return .null
      default: return .number(String(decoding: token, as: UTF8.self))
      }
    }
  }

  /// Returns the value of a member; nil if the value is not an object or has no such member.
  public subscript(name: String) -> CassetteStub.JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.0 == name }?.1
  }

  /// Returns the element at an index; nil if the value is not an array or has fewer elements.
  public subscript(index: Int) -> CassetteStub.JSON? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  /// The number of members or elements; 0 for other values.
  public var count: Int {
    switch self {
    case .object(let members): members.count
    case .array(let values): values.count
    case .string, .number, .bool, .null: 0
    }
  }

  /// The string; nil for other values.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The number if it is an integer in the range of `Int`; nil for other values.
  public var int: Int? {
    if case .number(let text) = self { Int(text) ?? Double(text).flatMap(Int.init(exactly:)) } else { nil }
  }
  /// The number; nil for other values.
  public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
  /// The Boolean value; nil for other values.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
}

extension CassetteStub.JSON: Equatable {
  /// Returns true if two values are equal, ignoring the order of members and the representation of numbers.
  public static func == (one: CassetteStub.JSON, other: CassetteStub.JSON) -> Bool {
    switch (one, other) {
    case (.object(let members), .object(let others)):
      members.count == others.count && members.allSatisfy { other[$0.0] == $0.1 }
        && others.allSatisfy { one[$0.0] == $0.1 }
    case (.array(let values), .array(let others)): values == others
    case (.string(let text), .string(let other)): text == other
    case (.number(let text), .number(let other)): text == other || isEqual(text, other)
    case (.bool(let bool), .bool(let other)): bool == other
    case (.null, .null): true
    default: false
    }
  }

  private static func isEqual(_ number: String, _ other: String) -> Bool {
    guard let number = JSONNumber(Array(number.utf8)[...]), let other = JSONNumber(Array(other.utf8)[...]) else {
      return false
    }
    return number == other
  }
}

extension CassetteStub.JSON: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { text }
}

extension Optional where Wrapped == CassetteStub.JSON {
  /// Returns the value of a member if there is an object: `json["user"]["name"]`.
  public subscript(name: String) -> CassetteStub.JSON? { self.flatMap { $0[name] } }

  /// Returns an element if there is an array: `json["items"][0]`.
  public subscript(index: Int) -> CassetteStub.JSON? { self.flatMap { $0[index] } }
}
