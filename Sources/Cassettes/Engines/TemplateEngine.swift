/// Compiles the templates of answers.
package protocol TemplateEngine: Sendable {
  /// Returns the errors in the templates of a response in JSON.
  ///
  /// - Parameters:
  ///   - response: The member `response` as written in the cassette.
  ///   - file: Reads a body file by its path; returns nil if the file cannot be read.
  /// - Returns: The errors, ordered by their offsets.
  func errors(inResponse response: [UInt8], file: (String) -> [UInt8]?) -> [EngineError]
}
