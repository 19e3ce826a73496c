import CassetteJSON
internal import CassetteSystem

/// An estimate of whether a file without a `cassette` member was meant to be a cassette.
package enum CassetteAttempt: Equatable {
  /// The file has interactions, or a member whose name is similar to `cassette`.
  case sure
  /// The file has an origin, or is not JSON, such as an empty or truncated file.
  case likely
  /// The file is JSON of another kind.
  case none

  /// Reads the members of the outermost object, as far as they can be parsed.
  package init(_ bytes: [UInt8]) {
    let span = bytes.span
    var at = CassetteFile.contentStart(span)
    var isLikely = false
    do {
      JSONScanner.skipWhitespace(in: span, at: &at)
      if at < span.count, span[at] == UInt8(ascii: "{"), var items = JSONItems(in: span, at: &at) {
        // If the object cannot be parsed completely, the file counts as broken.
        while try items.next(in: span, at: &at) {
          let name = JSONString.decode(span.extracting(items.name)) ?? ""
          if name == "interactions" || nearest(to: name, among: ["cassette"]) != nil {
            self = .sure
            return
          }
          if name == "origin" { isLikely = true }
          try JSONScanner.skipValue(in: span, at: &at)
        }
      } else {
        try JSONScanner.skipValue(in: span, at: &at)
      }
      JSONScanner.skipWhitespace(in: span, at: &at)
      self = isLikely || at < span.count ? .likely : .none
    } catch {
      self = .likely
    }
  }
}
