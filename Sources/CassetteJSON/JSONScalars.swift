internal import CassetteSystem

/// Visits the scalars of a JSON document with their paths.
package enum JSONScalars {
  /// Calls `use` with every string, number, boolean and null; returns false without a call if the document is not JSON.
  @discardableResult
  package static func each(in bytes: [UInt8], _ use: (_ path: [JSONPath.Step], _ range: Range<Int>) -> Void) -> Bool {
    do {
      // Validation limits the nesting depth, so that the recursion below is safe.
      try JSONScanner.validate(bytes.span)
      var at = 0
      var path: [JSONPath.Step] = []
      try walk(bytes.span, &at, &path, use)
      return true
    } catch {
      return false
    }
  }

  private static func walk(
    _ bytes: Span<UInt8>, _ at: inout Int, _ path: inout [JSONPath.Step],
    _ use: (_ path: [JSONPath.Step], _ range: Range<Int>) -> Void
  ) throws(JSONTextError) {
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    let start = at
    guard var items = JSONItems(in: bytes, at: &at) else {
      try JSONScanner.skipValue(in: bytes, at: &at)
      return use(path, start..<at)
    }
    var index = 0
    while try items.next(in: bytes, at: &at) {
      let name = bytes.extracting(items.name)
      path.append(
        items.isObject
          ? .member(String(decoding: JSONString.decodeLoosely(name), as: UTF8.self)) : .element(index))
      index += 1
      try walk(bytes, &at, &path, use)
      path.removeLast()
    }
  }
}

extension [JSONPath.Step] {
  /// The name of the last member on the path; nil if it has only elements.
  package var lastName: String? {
    for case .member(let name) in reversed() { return name }
    return nil
  }
}
