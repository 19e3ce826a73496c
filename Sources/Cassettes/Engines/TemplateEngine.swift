package import CassetteHTTP

/// Compiles the templates of answers.
package protocol TemplateEngine: Sendable {
  /// Compiles an answer whose header fields and body are templates; throws the first error in them.
  ///
  /// - Parameters:
  ///   - headers: The header fields.
  ///   - trailers: The trailer fields after a chunked body.
  ///   - body: The body, or each of its pieces.
  /// - Returns: The compiled answer.
  /// - Throws: ``EngineError`` with the first error.
  func answer(headers: HTTPHeaders, trailers: HTTPHeaders, body: [[UInt8]]) throws(EngineError) -> any CompiledAnswer

  /// Returns the errors in the templates of a response in JSON.
  ///
  /// - Parameters:
  ///   - response: The member `response` as written in the cassette.
  ///   - file: Reads a body file by its path; returns nil if the file cannot be read.
  /// - Returns: The errors, ordered by their offsets.
  func errors(inResponse response: [UInt8], file: (String) -> [UInt8]?) -> [EngineError]
}

/// A compiled answer, which is rendered for each request.
package protocol CompiledAnswer: Sendable {
  /// Renders the header fields, the trailer fields, and each piece of the body.
  func render(
    in context: inout TemplateContext
  ) throws(EngineError) -> (headers: HTTPHeaders, trailers: HTTPHeaders, body: [[UInt8]])
}
