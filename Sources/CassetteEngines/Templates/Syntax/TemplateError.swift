/// An error in a template, with its location.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description of the error, to be printed after its location.
  package var message: String
  /// The offset of the error in the template, in bytes.
  package var offset: Int
  /// A suggestion for correcting the error.
  package var suggestion: String?
  /// The unknown name that caused the error.
  ///
  /// `known` contains the valid names, for a "did you mean" suggestion.
  package var unknown: String?
  package var known: [String] = []

  package init(_ message: String, at offset: Int, _ suggestion: String? = nil) {
    self.message = message
    self.offset = offset
    self.suggestion = suggestion
  }

  /// Creates an error about an unknown name.
  init(_ message: String, at offset: Int, unknown: String, known: [String], _ suggestion: String? = nil) {
    self.init(message, at: offset, suggestion)
    self.unknown = unknown
    self.known = known
  }

  /// The error for a result above `TemplateBudget.longest`.
  static let tooLong = TemplateError("the result is larger than 8 MB", at: 0)

  /// The message and the suggestion, without the location.
  package var description: String { message + (suggestion.map { ", \($0)" } ?? "") }
}
