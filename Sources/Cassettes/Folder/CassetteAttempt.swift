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
    var (isSure, isLikely) = (false, false)
    CassetteFile.eachOuterName(in: bytes) { name in
      isSure = name == "interactions" || nearest(to: name, among: ["cassette"]) != nil
      isLikely = isLikely || name == "origin"
      return !isSure
    }
    let json = bytes.span.extracting(CassetteFile.contentStart(bytes.span)..<bytes.count)
    // A file that cannot be parsed completely counts as a broken cassette.
    do { try JSONScanner.validate(json) } catch { isLikely = true }
    self = isSure ? .sure : isLikely ? .likely : .none
  }
}
