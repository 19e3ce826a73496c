internal import CassetteHTTP
import CassetteSystem

extension ResponseHead {
  /// Determines how the body ends and whether the connection persists.
  ///
  /// Throws an error if the framing is ambiguous.
  func framing(to method: HTTPMethod) throws(ParseError) -> (framing: BodyFraming, persists: Bool) {
    var persists =
      version == .http11 ? !headers.lists("close", in: "Connection") : headers.lists("keep-alive", in: "Connection")
    if method == .head || status.isInformational || status == 204 || status == 304 { return (.none, persists) }
    let codings = headers.members(of: "Transfer-Encoding")
    if let coding = codings.first {
      guard codings.count == 1, ASCII.equalIgnoringCase(coding, "chunked") else {
        throw ParseError("a transfer coding other than chunked", "RFC 9112 §6.1", at: 0, status: 502)
      }
      // Transfer-Encoding overrides Content-Length, but a server that sends both may be used for request smuggling, so
      // the connection is closed (RFC 9112 §6.1).
      if headers.contains("Content-Length") || version == .http10 { persists = false }
      return (.chunked, persists)
    }
    // Several equal values count as one (RFC 9110 §8.6).
    let lengths = headers.members(of: "Content-Length")
    guard let text = lengths.first else { return (.untilClose, false) }
    guard lengths.allSatisfy({ $0 == text }), !text.isEmpty, text.utf8.allSatisfy(\.isDigit), let length = Int(text)
    else {
      throw ParseError("Content-Length is not a single number", "RFC 9112 §6.3", at: 0, status: 502)
    }
    return (.length(length), persists)
  }
}
