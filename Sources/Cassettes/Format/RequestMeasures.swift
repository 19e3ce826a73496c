/// The largest requests that recordings answer: a server must let requests of these measures in.
package struct RequestMeasures: Equatable, Sendable {
  /// The bytes of a target with its origin, secrets counted as long as they may have been.
  package var target = 0
  /// The bytes of the header fields.
  package var fieldBytes = 0
  /// The number of header fields.
  package var fields = 0
  /// The bytes of the body.
  package var body = 0

  /// The most bytes assumed for a secret that is a placeholder in a recorded target or field.
  package static let secret = 16 << 10

  /// Creates measures of a target, fields and a body, each in bytes.
  package init(target: Int = 0, fieldBytes: Int = 0, body: Int = 0) {
    (self.target, self.fieldBytes, self.body) = (target, fieldBytes, body)
  }

  /// Counts the bytes of a text, and of the secrets that were taken out of it.
  package static func length(of text: String) -> Int {
    text.utf8.count + (text.split(separator: "{{secret", omittingEmptySubsequences: false).count - 1) * secret
  }

  /// Grows to what other requests measure.
  package mutating func include(_ other: RequestMeasures) {
    target = max(target, other.target)
    fieldBytes = max(fieldBytes, other.fieldBytes)
    fields = max(fields, other.fields)
    body = max(body, other.body)
  }
}
