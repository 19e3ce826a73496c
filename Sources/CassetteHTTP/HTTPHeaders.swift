/// Header fields in the order they arrived, found by name whatever its case.
///
/// Nothing is merged or normalised: case, order and repeats are what the sender wrote (RFC 9110 §5).
public struct HTTPHeaders: Hashable, Sendable {
  /// A field line: a name and a value.
  public struct Field: Hashable, Sendable {
    /// The name in the case it was written.
    public var name: String
    /// The value without the white space around it.
    public var value: String
    /// True if the value came as other bytes than UTF-8: it is their text in ISO-8859-1, and sent so (RFC 9110 §5.5).
    public var isLatin1: Bool

    /// Makes a field of a name and a value.
    public init(name: String, value: String, isLatin1: Bool = false) {
      self.name = name
      self.value = value
      self.isLatin1 = isLatin1
    }

    /// Tells whether this is the name of the field, whatever its case.
    public func isNamed(_ other: String) -> Bool {
      ASCII.equalIgnoringCase(name, other)
    }
  }

  private var fields: [Field] = []

  /// Makes an empty list.
  public init() {}

  /// Makes a list of name and value pairs, in their order.
  public init(_ pairs: [(String, String)]) {
    fields = pairs.map { Field(name: $0.0, value: $0.1) }
  }

  /// Makes a list of fields, in their order.
  public init(fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// The value of the first field of that name, whatever its case.
  public subscript(name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// Returns the values of every field of that name, in their order.
  public func values(of name: String) -> [String] {
    fields.lazy.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Tells whether there is a field of that name, whatever its case.
  public func contains(_ name: String) -> Bool {
    fields.contains { $0.isNamed(name) }
  }

  /// Adds a field at the end, also when there is one of that name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds a field at the end, also when there is one of its name.
  public mutating func append(_ field: Field) { fields.append(field) }

  /// Removes every field of that name, whatever its case.
  public mutating func remove(_ name: String) {
    fields.removeAll { $0.isNamed(name) }
  }

  /// Removes every field of which something is true.
  package mutating func removeAll(where isRemoved: (Field) -> Bool) { fields.removeAll(where: isRemoved) }

  /// Replaces the first field of that name and removes the others; adds one when there is none.
  public mutating func set(_ name: String, _ value: String) {
    guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return append(name, value) }
    fields[first] = Field(name: fields[first].name, value: value)
    let rest = fields[(first + 1)...].filter { !$0.isNamed(name) }
    fields.replaceSubrange((first + 1)..., with: rest)
  }

  /// The media type of the content these fields are sent with; nil when `Content-Type` is not there or says none.
  package var mediaType: MediaType? { self["Content-Type"].flatMap { MediaType($0) } }

  /// Returns the members of a comma-separated list field, over all its lines, without empty ones (RFC 9110 §5.6.1).
  public func members(of name: String) -> [String] {
    fields.lazy.filter { $0.isNamed(name) }.flatMap { $0.value.split(separator: ",") }
      .compactMap { member in
        let trimmed = ASCII.trimmingBlanks(member)
        return trimmed.isEmpty ? nil : String(trimmed)
      }
  }

  /// Tells whether a comma-separated list field has a member, whatever the case of both.
  package func lists(_ member: String, in name: String) -> Bool {
    fields.contains { field in
      guard field.isNamed(name) else { return false }
      var rest = field.value[...]
      while !rest.isEmpty {
        let next = rest.utf8.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        let found = ASCII.trimmingBlanks(rest[..<next])
        if found.utf8.elementsEqual(member.utf8, by: { ASCII.lowercased($0) == ASCII.lowercased($1) }) { return true }
        rest = rest[next...].dropFirst()
      }
      return false
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
  /// Makes a list of name and value pairs, in their order.
  public init(arrayLiteral pairs: (String, String)...) {
    self.init(pairs)
  }

  /// Makes a list of names and values, in their order; a name may be repeated.
  public init(dictionaryLiteral pairs: (String, String)...) {
    self.init(pairs)
  }
}

extension HTTPHeaders: CustomStringConvertible {
  /// The fields as they are in a message, a line each.
  public var description: String {
    fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}

extension HTTPHeaders.Field {
  /// Reads a field whose name and value stand in a line.
  package init(_ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    let text = ByteText.string(bytes, value)
    self.init(
      name: ByteText.string(bytes, name), value: text, isLatin1: ByteText.isObsText(text, of: value.count))
  }
}
