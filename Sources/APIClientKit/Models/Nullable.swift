/// A value or an explicit `null`, which a `PATCH` request needs to remove a member (RFC 7396).
///
/// ```swift
/// struct ProfileChange: Encodable {
///   var name: Nullable<String>?      // nil: not sent
///   var bio: Nullable<String>?
/// }
/// try await client.send(.patch("/user", body: ProfileChange(bio: .null)))     // {"bio":null}
/// ```
public enum Nullable<Value> {
  /// Encoded as `null`.
  case null
  /// Encoded as the value.
  case value(Value)
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: Encodable where Value: Encodable {
  /// Encodes the value, or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .value(let value): try container.encode(value)
    }
  }
}

extension Nullable: ExpressibleByUnicodeScalarLiteral where Value == String {
  /// Creates a string value from a literal.
  public init(unicodeScalarLiteral value: String) { self = .value(value) }
}
extension Nullable: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
  /// Creates a string value from a literal.
  public init(extendedGraphemeClusterLiteral value: String) { self = .value(value) }
}
extension Nullable: ExpressibleByStringLiteral where Value == String {
  /// Creates a string value from a literal.
  public init(stringLiteral value: String) { self = .value(value) }
}
