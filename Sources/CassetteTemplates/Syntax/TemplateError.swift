/// What is wrong with a template, and where.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in words that follow a place.
  package var message: String
  /// The byte of the template at which it is wrong.
  package var offset: Int
  /// What to write instead.
  package var suggestion: String?
  /// The word that is not known, and those that are, for whoever looks for the one that was meant.
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

  /// What is wrong; whoever knows the file says the place.
  package var description: String { message + (suggestion.map { ", \($0)" } ?? "") }
}
