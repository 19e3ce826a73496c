import CassetteJSON
internal import CassetteSystem

/// A guess whether a file without a `cassette` member was meant to be a cassette.
package enum CassetteAttempt: Equatable {
  /// It has interactions, or a member whose name is nearly `cassette`.
  case sure
  /// It has an origin, or is no JSON at all, as a file is that was emptied or torn.
  case likely
  /// It is JSON of some other kind.
  case none

  /// Looks at the members of the outermost object, as far as they can be read.
  package init(_ bytes: [UInt8]) {
    let span = bytes.span
    var at = CassetteFile.contentStart(span)
    var isLikely = false
    do {
      JSONScanner.skipWhitespace(in: span, at: &at)
      if at < span.count, span[at] == UInt8(ascii: "{"), var items = JSONItems(in: span, at: &at) {
        // Whatever is not quite an object is broken.
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
