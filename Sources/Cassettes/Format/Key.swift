internal import CassetteSystem

/// The description of a key, without the functions that read and write its value.
package struct KeyRow: Sendable {
  /// The name in the file.
  package let name: String
  /// The members of the JSON Schema for the values: `"type": "boolean"`.
  package let schema: String
  /// A description for people, which editors show; nil if the name says everything.
  package let help: String?
  /// True if an object without the key is an error.
  package let isRequired: Bool
}

/// A key of an object in a cassette: reads a member into an `Input`, and writes it from an `Output`.
///
/// The two types differ only for interactions, whose parts are read as offsets in the file.
struct Key<Input, Output>: Sendable {
  typealias Read = @Sendable (inout CassetteFileReader, Span<UInt8>, inout Input) throws(CassetteError) -> Void
  typealias Write = @Sendable (inout CassetteFileWriter, Output) throws(CassetteError) -> Void

  let row: KeyRow
  let read: Read
  let write: Write

  init(
    _ name: String, schema: String, _ help: String? = nil, isRequired: Bool = false, read: @escaping Read,
    write: @escaping Write
  ) {
    row = KeyRow(name: name, schema: schema, help: help, isRequired: isRequired)
    (self.read, self.write) = (read, write)
  }

  /// Creates a key that adds its value to the input; the value to write is optional.
  ///
  /// - `part`: Returns the value to write; nil to write nothing.
  static func part<Member>(
    _ name: String, _ kind: Kind<Member>, _ help: String? = nil, add: @escaping @Sendable (inout Input, Member) -> Void,
    part: @escaping @Sendable (Output) -> Member?
  ) -> Key {
    let what = "\"\(name)\""
    return Key(name, schema: kind.schema, help) { reader, bytes, value throws(CassetteError) in
      if let member = try kind.read(&reader, bytes, what) { add(&value, member) }
    } write: { writer, value throws(CassetteError) in
      guard let member = part(value) else { return }
      writer.key(name)
      try kind.write(&writer, member)
    }
  }
}

extension Key where Input == Output {
  typealias Property<Member> = any WritableKeyPath<Input, Member> & Sendable

  /// Creates a key for an optional property, which is nil if the key is missing.
  static func member<Member>(
    _ name: String, _ path: Property<Member?>, _ kind: Kind<Member>, _ help: String? = nil
  ) -> Key {
    .part(name, kind, help) {
      $0[keyPath: path] = $1
    } part: {
      $0[keyPath: path]
    }
  }

  /// Creates a key for a property with a default, which is not written.
  ///
  /// Without a default, the key is required.
  static func value<Member: Equatable & Sendable>(
    _ name: String, _ path: Property<Member>, _ kind: Kind<Member>, default: Member?, _ help: String? = nil
  ) -> Key {
    let what = "\"\(name)\""
    return Key(name, schema: kind.schema, help, isRequired: `default` == nil) {
      reader, bytes, value throws(CassetteError) in
      if let member = try kind.read(&reader, bytes, what) { value[keyPath: path] = member }
    } write: { writer, value throws(CassetteError) in
      let member = value[keyPath: path]
      guard member != `default` else { return }
      writer.key(name)
      try kind.write(&writer, member)
    }
  }
}

/// The kind of the values of a key.
struct Kind<Value>: Sendable {
  typealias Read = @Sendable (inout CassetteFileReader, Span<UInt8>, _ what: String) throws(CassetteError) -> Value?
  typealias Write = @Sendable (inout CassetteFileWriter, Value) throws(CassetteError) -> Void

  /// The members of the JSON Schema for the values.
  let schema: String
  /// Reads a value; returns nil after it reported a problem.
  let read: Read
  let write: Write

  /// Creates a kind.
  ///
  /// A value that is written as part of another value needs no `write`.
  init(_ schema: String, read: @escaping Read, write: @escaping Write = { _, _ in }) {
    (self.schema, self.read, self.write) = (schema, read, write)
  }
}

/// A reference to a definition of the JSON Schema, as the schema of a kind.
func reference(_ name: String) -> String { "\"$ref\": \"#/definitions/\(name)\"" }

/// The keys of one type of object, in the order in which they are written.
///
/// A class, because tables are passed around and never change.
final class ObjectTable<Input, Output>: Sendable {
  typealias Check =
    @Sendable (
      inout CassetteFileReader, Span<UInt8>, _ start: Int, _ walk: ObjectWalk, inout Input
    ) throws(CassetteError) -> Void

  /// The object in the JSON Schema.
  let facts: ObjectFacts
  let keys: [Key<Input, Output>]
  let names: KeyNames
  /// The suggestion for an unknown key that is not similar to a known one.
  let hint: String?
  /// The suggestion for a missing required key.
  let missing: String?
  /// The required keys, one bit each.
  let required: UInt32
  /// Returns true if an object is written on one line.
  let isLine: @Sendable (Output) -> Bool
  /// Checks rules that concern several keys.
  let check: Check

  /// Creates a table.
  ///
  /// - `isLine`: Returns true if an object is written on one line. By default, each member is written on a separate
  ///   line.
  /// - `check`: Checks rules that concern several keys. By default, nothing is checked.
  init(
    _ name: String, _ help: String? = nil, schema: String = "", hint: String? = nil, missing: String? = nil,
    isLine: @escaping @Sendable (Output) -> Bool = { _ in false }, keys: [Key<Input, Output>],
    check: @escaping Check = { _, _, _, _, _ in }
  ) {
    facts = ObjectFacts(name: name, help: help, schema: schema, rows: keys.map(\.row))
    (self.keys, self.hint, self.missing, self.isLine, self.check) = (keys, hint, missing, isLine, check)
    names = KeyNames(keys.map(\.row.name))
    required = keys.enumerated().reduce(0) { $1.element.row.isRequired ? $0 | 1 << UInt32($1.offset) : $0 }
  }
}

/// The definition of an object in the JSON Schema.
package struct ObjectFacts: Sendable {
  /// The name of the definition.
  package let name: String
  package let help: String?
  /// Further members of the schema that concern several keys.
  package let schema: String
  package let rows: [KeyRow]
}

/// The names of the keys of one type of object.
struct KeyNames: Sendable {
  let names: [String]
  private let bytes: [[UInt8]]

  init(_ names: [String]) { (self.names, bytes) = (names, names.map { Array($0.utf8) }) }

  /// Returns the index of a name.
  ///
  /// Starts after the index found last, because members are usually in order.
  func index(of name: Span<UInt8>, after last: Int) -> Int? {
    for step in 1...bytes.count {
      let index = (last + step) % bytes.count
      let candidate = bytes[index]
      if candidate.span.equals(name) { return index }
    }
    return nil
  }
}
