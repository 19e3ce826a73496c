internal import CassetteSystem

/// An estimate of the elements of a body: the values of JSON, the fields of a form, the lines of text.
package enum BodyElements {
  private static let delimiters = ByteSet(adding: ",[{&\n")

  /// Returns true if a body may have more than `limit` elements, by the delimiters that begin or separate elements.
  ///
  /// A value of a JSON tree takes up to forty times the memory of its text, and four bytes of a content coding may
  /// decode to 64,000 values.
  package static func exceed(_ limit: Int, in bytes: [UInt8]) -> Bool {
    guard bytes.count > limit else { return false }
    return bytes.searching { text in
      var (at, count) = (0, 0)
      while at < bytes.count, count <= limit {
        if delimiters.contains(text[at]) { count += 1 }
        at += 1
      }
      return count > limit
    }
  }
}
