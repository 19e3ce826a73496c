/// An error in a template, with its place.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the error, in words that follow a place.
  package var message: String
  /// The byte of the template at which it is wrong.
  package var offset: Int
  /// A suggestion for correcting it.
  package var suggestion: String?
  /// The word that is not known; `known` are those that are, to suggest the one that was meant.
  package var unknown: String?
  package var known: [String] = []

  package init(_ message: String, at offset: Int, _ suggestion: String? = nil) {
    self.message = message
    self.offset = offset
    self.suggestion = suggestion
  }

  /// A word that none of the known ones is.
  init(_ message: String, at offset: Int, unknown: String, known: [String], _ suggestion: String? = nil) {
    self.init(message, at: offset, suggestion)
    self.unknown = unknown
    self.known = known
  }

  /// The error of a text that would be longer than a template may make it.
  static let tooLong = TemplateError("it comes to more than 8 MB", at: 0)

  /// The message and the suggestion, without the place.
  package var description: String { message + (suggestion.map { ", \($0)" } ?? "") }
}
