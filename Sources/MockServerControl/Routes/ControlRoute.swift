internal import CassetteHTTP

/// One thing that the control API does: what it is asked with, and what does it.
///
/// Asking, refusing what is unknown and the OpenAPI document all read the same table of these.
struct ControlRoute: Sendable {
  /// A query parameter, or a member of the body.
  struct Field: Sendable {
    enum Kind: String, Sendable {
      case string, integer, boolean, object, array
    }

    let name: String
    let kind: Kind
    let summary: String

    init(_ name: String, _ kind: Kind, _ summary: String) {
      (self.name, self.kind, self.summary) = (name, kind, summary)
    }
  }

  /// What the body is.
  enum Content: Sendable {
    case none
    /// An object with these members, each of which may be left out.
    case members([Field])
    /// A cassette's interaction, or several: their own reader refuses what it does not know.
    case interactions
  }

  let method: HTTPMethod
  /// With names in braces that stand for one segment each; one that ends in an asterisk stands for the rest.
  let path: String
  let summary: String
  var query: [Field] = []
  var content = Content.none
  /// The status of an answer that is no refusal.
  var status = 200
  /// Further statuses, and when they come.
  var others: [(status: Int, summary: String)] = []
  /// The media type of the answer.
  var answers = "application/json"
  let answer: @Sendable (ControlAPI, ControlCall) throws(ControlRefusal) -> ControlAnswer

  /// The values of the names in the path; nil when it is another path.
  func parameters(of path: String) -> [String: String]? {
    let wanted = self.path.split(separator: "/", omittingEmptySubsequences: false)
    let asked = path.split(separator: "/", omittingEmptySubsequences: false)
    var values: [String: String] = [:]
    for (index, segment) in wanted.enumerated() {
      guard index < asked.count else { return nil }
      guard segment.hasPrefix("{") else {
        guard segment == asked[index] else { return nil }
        continue
      }
      let isRest = segment.hasSuffix("*}")
      let value = isRest ? asked[index...].joined(separator: "/") : String(asked[index])
      guard !value.isEmpty else { return nil }
      values[String(segment.dropFirst().dropLast(isRest ? 2 : 1))] = PercentEncoding.decodeText(
        value.utf8, plusIsSpace: false)
      if isRest { return values }
    }
    return wanted.count == asked.count ? values : nil
  }

  /// A name as one segment of a path (RFC 3986 §2.3).
  static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      let letter = Character(Unicode.Scalar(byte))
      if byte < 128, letter.isLetter || letter.isNumber || "-._~".contains(letter) { return String(letter) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
