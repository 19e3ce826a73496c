/// The measures of the largest recorded requests, which the limits of a server must allow.
package struct RequestMeasures: Equatable, Sendable {
  /// The size of a target with its origin in bytes, with the maximum size for placeholders of secrets.
  package var target = 0
  /// The size of the header fields in bytes.
  package var fieldBytes = 0
  /// The number of header fields.
  package var fields = 0
  /// The size of the body in bytes.
  package var body = 0

  /// The maximum size assumed for a secret that is a placeholder in a recorded target or field, in bytes.
  package static let secret = 16 << 10

  /// Creates measures of a target, header fields and a body, each in bytes.
  package init(target: Int = 0, fieldBytes: Int = 0, body: Int = 0) {
    (self.target, self.fieldBytes, self.body) = (target, fieldBytes, body)
  }

  /// Returns the size of a text in bytes, with the maximum size for each placeholder of a secret.
  package static func length(of text: String) -> Int {
    text.utf8.count + (text.split(separator: "{{secret", omittingEmptySubsequences: false).count - 1) * secret
  }

  /// Increases the measures to the maximum of both.
  package mutating func include(_ other: RequestMeasures) {
    target = max(target, other.target)
    fieldBytes = max(fieldBytes, other.fieldBytes)
    fields = max(fields, other.fields)
    body = max(body, other.body)
  }
}
