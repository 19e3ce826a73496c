/// A parameter, `name=value`, of a query, decoded.
package struct QueryItem: Hashable, Sendable {
  /// The name, which may be empty.
  package var name: String
  /// The value; nil when there was no `=`.
  package var value: String?

  /// Makes an item of a decoded name and value.
  package init(name: String, value: String?) {
    self.name = name
    self.value = value
  }

  /// Splits a raw query as a form is split: `&` between items, the first `=` in each, `+` for a space; order and repeats are kept.
  ///
  /// Nothing between two `&` is no item. Bad escapes stay as they are.
  ///
  /// - Parameter raw: The query without its `?`, as it was sent.
  /// - Returns: The items in their order.
  package static func parse(_ raw: some Collection<UInt8>) -> [QueryItem] {
    raw.split(separator: UInt8(ascii: "&")).map { item in
      let mark = item.firstIndex(of: UInt8(ascii: "="))
      return QueryItem(
        name: PercentEncoding.decodeText(item[..<(mark ?? item.endIndex)], plusIsSpace: true),
        value: mark.map { PercentEncoding.decodeText(item[item.index(after: $0)...], plusIsSpace: true) })
    }
  }

  /// Splits a raw query as ``parse(_:)`` does, and decodes names and values as bytes; one without a value has an empty one.
  package static func pairs(of raw: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
    raw.split(separator: UInt8(ascii: "&")).map { item in
      let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      return (
        PercentEncoding.decode(item[..<mark], plusIsSpace: true),
        PercentEncoding.decode(item[mark...].dropFirst(), plusIsSpace: true)
      )
    }
  }

  /// Splits a raw query as a form is split.
  package static func parse(_ raw: String) -> [QueryItem] {
    parse(raw.utf8)
  }

  /// Reads the query of a target or a URL without a fragment; nothing where there is none.
  package static func all(ofTarget target: String) -> [QueryItem] {
    parse(target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
  }
}
