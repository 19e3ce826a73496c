internal import CassetteJSON
internal import CassetteSystem
public import Cassettes

extension Cassette {
  /// Tells whether a file is a cassette: a JSON object with a member named `cassette`.
  ///
  /// Only as much is read as is needed to tell, and nothing is checked beyond it. A file that breaks off or is not quite
  /// JSON counts as a cassette when it names the member somewhere, so that reading it can say what is wrong.
  ///
  /// - Parameter bytes: The file.
  /// - Returns: True when it is, or tries to be.
  public static func isCassette(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    var at = CassetteFile.contentStart(span)
    JSONScanner.skipWhitespace(in: span, at: &at)
    guard var members = JSONItems(in: span, at: &at), members.isObject else { return false }
    let wanted = Array("\"cassette\"".utf8)
    do {
      while try members.next(in: span, at: &at) {
        let name = members.name.lowerBound - 1..<members.name.upperBound + 1
        if span.extracting(name).equals(wanted.span) { return true }
        try JSONScanner.skipValue(in: span, at: &at)
      }
      return false
    } catch {
      // Broken; see below.
    }
    guard span.count >= wanted.count else { return false }
    return (0...span.count - wanted.count).contains { start in
      guard span[start] == UInt8(ascii: "\""), span.extracting(start..<start + wanted.count).equals(wanted.span)
      else { return false }
      var after = start + wanted.count
      JSONScanner.skipWhitespace(in: span, at: &after)
      return after < span.count && span[after] == UInt8(ascii: ":")
    }
  }
}
