internal import CassetteJSON

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
