internal import CassetteHTTP
import Cassettes

/// The measures of the largest recorded requests, which the limits of a server must allow.
struct RequestMeasures: Equatable, Sendable {
  /// The size of a target with its origin in bytes, with the maximum size for placeholders of secrets.
  var target = 0
  /// The size of the header fields in bytes.
  var fieldBytes = 0
  /// The number of header fields.
  var fields = 0
  /// The size of the body in bytes.
  var body = 0

  /// The maximum size assumed for a secret that is a placeholder in a recorded target or field, in bytes.
  private static let secret = 16 << 10

  /// Creates measures of a target, header fields and a body, each in bytes.
  init(target: Int = 0, fieldBytes: Int = 0, body: Int = 0) {
    (self.target, self.fieldBytes, self.body) = (target, fieldBytes, body)
  }

  /// Measures the largest request of a library.
  init(of library: CassetteLibrary) {
    self.init()
    for cassette in library.cassettes {
      for interaction in cassette.interactions { include(interaction) }
      target += cassette.origin?.utf8.count ?? 0
    }
    for fixture in library.fixtures { target = max(target, fixture.url.utf8.count) }
  }

  private mutating func include(_ interaction: Interaction) {
    target = max(target, Self.length(of: interaction.url))
    let headers = interaction.requestHeaders
    fields = max(fields, headers.count)
    fieldBytes = max(
      fieldBytes, headers.reduce(0) { $0 + $1.name.utf8.count + Self.length(of: $1.value) + 4 })
    // The size of the stored text is an upper bound, so that the bodies of large cassettes need not be decoded.
    if let stored = interaction.requestBody, stored.isLong(body + 1) {
      // An unreadable body is reported when its recording is played.
      body = max(body, (try? stored.openLongFile()?.size ?? stored.bytes().count) ?? 0)
    }
    if let rules = interaction.rules { include(rules) }
  }

  /// Extends the measures to the strings that rules require.
  private mutating func include(_ rules: InteractionRules) {
    guard !rules.match.isEmpty else { return }
    let length = RuleNotation.text(of: rules.match).count
    (target, fieldBytes, body) = (max(target, length), max(fieldBytes, length), max(body, length))
  }

  /// Returns the size of a text in bytes, with the maximum size for each placeholder of a secret, raw or
  /// percent-encoded.
  private static func length(of text: String) -> Int {
    guard text.utf8.contains(UInt8(ascii: "{")) || text.utf8.contains(UInt8(ascii: "%")) else { return text.utf8.count }
    let parts = PercentEncoding.decodeText(text.utf8).split(separator: "{{secret", omittingEmptySubsequences: false)
    return text.utf8.count + (parts.count - 1) * secret
  }
}
