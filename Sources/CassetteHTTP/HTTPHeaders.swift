/// A list of header fields in the order received, with case-insensitive lookup by name.
///
/// Nothing is merged or normalized: the list preserves case, order and repetitions (RFC 9110 §5).
public struct HTTPHeaders: Hashable, Sendable {
  /// A field line: a name and a value.
  public struct Field: Hashable, Sendable {
    /// The field name in its original case.
    public var name: String
    /// The field value without surrounding white space.
    public var value: String
    /// True if the received value was not valid UTF-8.
    ///
    /// It was then decoded as ISO-8859-1 and is sent in that encoding (RFC 9110 §5.5).
    public var isLatin1: Bool

    /// Creates a field.
    public init(name: String, value: String, isLatin1: Bool = false) {
      self.name = name
      self.value = value
      self.isLatin1 = isLatin1
    }

    /// Returns true if the field has this name, compared case-insensitively.
    public func isNamed(_ other: String) -> Bool {
      ASCII.equalIgnoringCase(name, other)
    }
  }

  private var fields: [Field] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list from pairs of name and value.
  public init(_ pairs: [(String, String)]) {
    fields = pairs.map { Field(name: $0.0, value: $0.1) }
  }

  /// Creates a list from fields.
  public init(fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// The value of the first field with a name, compared case-insensitively; nil if the field is missing.
  public subscript(name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// Returns the values of all fields with a name, in order.
  public func values(of name: String) -> [String] {
    fields.lazy.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Returns true if the list contains a field with a name, compared case-insensitively.
  public func contains(_ name: String) -> Bool {
    fields.contains { $0.isNamed(name) }
  }

  /// Appends a field, even if the list already contains its name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Appends a field, even if the list already contains its name.
  public mutating func append(_ field: Field) { fields.append(field) }

  /// Removes all fields with a name, compared case-insensitively.
  public mutating func remove(_ name: String) {
    fields.removeAll { $0.isNamed(name) }
  }

  /// Removes all fields for which a condition is true.
  package mutating func removeAll(where isRemoved: (Field) -> Bool) { fields.removeAll(where: isRemoved) }

  /// Replaces the first field with a name and removes the others.
  ///
  /// Appends a field if the list does not contain the name.
  public mutating func set(_ name: String, _ value: String) {
    guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return append(name, value) }
    fields[first] = Field(name: fields[first].name, value: value)
    let rest = fields[(first + 1)...].filter { !$0.isNamed(name) }
    fields.replaceSubrange((first + 1)..., with: rest)
  }

  /// The media type in `Content-Type`; nil if the field is missing or invalid.
  package var mediaType: MediaType? { self["Content-Type"].flatMap { MediaType($0) } }

  /// Returns the members of a comma-separated list from all fields with a name, without empty members
  /// (RFC 9110 §5.6.1).
  public func members(of name: String) -> [String] {
    fields.lazy.filter { $0.isNamed(name) }.flatMap { $0.value.split(separator: ",") }
      .compactMap { member in
        let trimmed = ASCII.trimmingBlanks(member)
        return trimmed.isEmpty ? nil : String(trimmed)
      }
  }

  /// Reserves space for a number of fields.
  package mutating func reserveCapacity(_ count: Int) {
    fields.reserveCapacity(count)
  }
}

extension HTTPHeaders: RandomAccessCollection {
  /// The position of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last field.
  public var endIndex: Int { fields.endIndex }

  /// The field at a position.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates a list from pairs of name and value.
  public init(arrayLiteral pairs: (String, String)...) {
    self.init(pairs)
  }

  /// Creates a list from names and values.
  ///
  /// A name may be repeated.
  public init(dictionaryLiteral pairs: (String, String)...) {
    self.init(pairs)
  }
}

extension HTTPHeaders: CustomStringConvertible {
  /// The fields in the form of a message, one per line.
  public var description: String {
    fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}

extension HTTPHeaders {
  /// Returns the fields with new values; fields for which `value` returns nil are unchanged.
  package func replacing(_ value: (Field) -> String?) -> HTTPHeaders {
    HTTPHeaders(fields: map { .init(name: $0.name, value: value($0) ?? $0.value, isLatin1: $0.isLatin1) })
  }
}
