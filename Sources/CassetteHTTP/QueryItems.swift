/// A decoded parameter of a query.
package struct QueryItem: Hashable, Sendable {
  /// The name, which may be empty.
  package var name: String
  /// The value; nil if the parameter has no `=`.
  package var value: String?

  /// Creates an item from a decoded name and value.
  package init(name: String, value: String?) {
    self.name = name
    self.value = value
  }

  /// Parses a query like form data: items are separated by `&`, names end at the first `=`, and `+` is a space.
  ///
  /// Order and repetitions are preserved. Empty items are omitted, and invalid escapes are left unchanged.
  ///
  /// - `raw`: The percent-encoded query without the `?`.
  package static func parse(_ raw: some Collection<UInt8>) -> [QueryItem] {
    raw.split(separator: UInt8(ascii: "&")).map { item in
      let mark = item.firstIndex(of: UInt8(ascii: "="))
      return QueryItem(
        name: PercentEncoding.decodeText(item[..<(mark ?? item.endIndex)], plusIsSpace: true),
        value: mark.map { PercentEncoding.decodeText(item[item.index(after: $0)...], plusIsSpace: true) })
    }
  }

  /// Parses a query like ``parse(_:)``, and returns names and values as bytes.
  ///
  /// A missing value is empty.
  package static func pairs(of raw: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
    raw.split(separator: UInt8(ascii: "&")).map { item in
      let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      return (
        PercentEncoding.decode(item[..<mark], plusIsSpace: true),
        PercentEncoding.decode(item[mark...].dropFirst(), plusIsSpace: true)
      )
    }
  }

  /// Parses a query like form data.
  package static func parse(_ raw: String) -> [QueryItem] {
    parse(raw.utf8)
  }

  /// Parses the query of a target or of a URL without a fragment.
  ///
  /// Returns an empty array if there is no query.
  package static func all(ofTarget target: String) -> [QueryItem] {
    parse(target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
  }
}
