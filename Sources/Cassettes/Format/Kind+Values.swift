internal import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Reading and writing strings.
extension Kind where Value == String {
  /// Any string.
  static var text: Kind {
    Kind(#""type": "string""#) { reader, bytes, what throws(CassetteError) in
      try reader.readText(bytes, what)
    } write: {
      $0.append($1)
    }
  }

  /// A time in the format of RFC 3339.
  static var time: Kind {
    parsed(
      "a time such as \"2026-11-21T01:00:00Z\" (RFC 3339)", schema: #""type": "string", "format": "date-time""#,
      text: { $0 }, { Timestamp.isOne($0) ? $0 : nil })
  }
}

extension Kind {
  /// A string that is parsed.
  ///
  /// - `words`: The valid strings, for a problem: the value "must be" the words.
  /// - `text`: Returns the string of a value.
  /// - `parse`: Parses a string; returns nil if it is invalid.
  static func parsed(
    _ words: String, schema: String = #""type": "string""#, text: @escaping @Sendable (Value) -> String,
    _ parse: @escaping @Sendable (String) -> Value?
  ) -> Kind {
    Kind(schema) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let text = try reader.readText(bytes, what) else { return nil }
      if let value = parse(text) { return value }
      try reader.report(bytes, start, "\(what) must be \(words)")
      return nil
    } write: { writer, value throws(CassetteError) in
      writer.append(text(value))
    }
  }

  /// A number that is parsed.
  ///
  /// - `kind`: The kind of number, for a value that is no number at all.
  /// - `words`: The valid numbers, for a problem: the value "must be" the words. By default, the kind.
  /// - `text`: Returns the number as it is written.
  /// - `parse`: Parses a number; returns nil if it is invalid.
  static func number(
    _ kind: String, _ words: String? = nil, schema: String, text: @escaping @Sendable (Value) -> String,
    _ parse: @escaping @Sendable (String) -> Value?
  ) -> Kind {
    Kind(schema) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let token = try reader.readNumber(bytes, what, kind) else { return nil }
      if let value = parse(token) { return value }
      try reader.report(bytes, start, "\(what) must be \(words ?? kind)")
      return nil
    } write: { writer, value throws(CassetteError) in
      writer.token(text(value))
    }
  }
}

extension Kind where Value == [String] {
  /// A list of strings with at least one string.
  static var texts: Kind { Kind<String>.text.list(schema: reference("texts"), empty: "must not be empty") }
}

/// Reading and writing words and numbers.
extension Kind where Value == Bool {
  /// `true` or `false`.
  static var flag: Kind {
    Kind(#""type": "boolean""#) { reader, bytes, what throws(CassetteError) in
      try reader.readFlag(bytes, what)
    } write: {
      $0.token($1 ? "true" : "false")
    }
  }

  /// The word `ignore`; false if the key is missing.
  static var ignore: Kind {
    parsed(
      "\"ignore\", or omitted", schema: #""const": "ignore""#, text: { _ in "ignore" },
      { $0 == "ignore" ? true : nil })
  }
}

extension Kind where Value == Int {
  /// A whole number, `least` or more.
  static func count(from least: Int) -> Kind {
    number(
      "a whole number, \(least) or more", schema: "\"type\": \"integer\", \"minimum\": \(least)",
      text: { String($0) }, { Int($0).flatMap { $0 >= least ? $0 : nil } })
  }

  /// A whole number of 32 bits; a problem reports that it "must be" the words.
  static func int32(_ words: String) -> Kind {
    number(
      "a whole number", words, schema: #""type": "integer""#, text: { String($0) }, { Int32($0).map { Int($0) } })
  }
}

extension Kind where Value == Double {
  /// A number from 0 to 1.
  static var probability: Kind {
    number(
      "a number from 0 to 1", schema: #""type": "number", "minimum": 0, "maximum": 1"#,
      text: { CassetteFileWriter.text(of: $0) }, { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } })
  }

  /// A number of seconds, zero or more.
  static func seconds(atMost most: Double = .greatestFiniteMagnitude) -> Kind {
    let limit = most < .greatestFiniteMagnitude ? ", \"maximum\": \(Int(most))" : ""
    return Kind(#""type": "number", "minimum": 0"# + limit) { reader, bytes, what throws(CassetteError) in
      try reader.readSeconds(bytes, what, atMost: most)
    } write: {
      $0.number($1)
    }
  }
}

extension Kind where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// One of several words; a problem reports that it "must be one of" the words.
  static func choice(_ words: String = "must be one of") -> Kind {
    let names = Value.allCases.map { "\"\($0.rawValue)\"" }
    let schema = names.count == 1 ? "\"const\": \(names[0])" : "\"enum\": [\(names.joined(separator: ", "))]"
    return Kind(schema) { reader, bytes, what throws(CassetteError) in
      try reader.readChoice(bytes, what, as: Value.self, words)
    } write: {
      $0.append($1.rawValue)
    }
  }
}

extension Kind where Value == [UInt8] {
  /// A JSON value of any kind, without white space.
  static var json: Kind {
    Kind("") { reader, bytes, _ throws(CassetteError) in
      let start = reader.at
      try reader.skipValue(bytes)
      var compact: [UInt8] = []
      JSONStyle.compact.render(bytes.extracting(start..<reader.at), into: &compact)
      return compact
    } write: {
      $0.json($1)
    }
  }
}

/// Reading and writing objects and lists.
extension Kind where Value: Sendable {
  /// An object with the keys of a table; reading starts with the value `new`.
  static func object(_ table: ObjectTable<Value, Value>, new: Value) -> Kind {
    Kind(reference(table.facts.name)) { reader, bytes, what throws(CassetteError) in
      var value = new
      return try reader.read(bytes, what, table, into: &value) ? value : nil
    } write: { writer, value throws(CassetteError) in
      try writer.write(table, value)
    }
  }
}

extension Kind {
  /// A list of values.
  ///
  /// - `words`: The words for a value in problems. By default, those for the list.
  /// - `schema`: The members of the JSON Schema. By default, an array of the kind's values.
  /// - `empty`: The problem of an empty list, to follow the words for the list. Nil by default: a list may be empty.
  /// - `write`: Writes the list. By default, each value is written on a separate line.
  func list(
    _ words: String? = nil, schema: String? = nil, empty: String? = nil, write: Kind<[Value]>.Write? = nil
  ) -> Kind<[Value]> {
    Kind<[Value]>(schema ?? "\"type\": \"array\", \"items\": { \(self.schema) }") {
      reader, bytes, what throws(CassetteError) in
      let start = reader.at
      var values: [Value] = []
      guard var list = try reader.openList(bytes, what) else { return nil }
      while try reader.nextElement(bytes, &list) {
        if let value = try self.read(&reader, bytes, words ?? what) { values.append(value) }
      }
      guard values.isEmpty, let empty else { return values }
      try reader.report(bytes, start, "\(what) \(empty)")
      return nil
    } write: { writer, values throws(CassetteError) in
      if let write { return try write(&writer, values) }
      writer.open("[")
      for value in values {
        writer.next()
        try self.write(&writer, value)
      }
      writer.close("]")
    }
  }
}
