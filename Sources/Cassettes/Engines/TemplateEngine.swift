package import CassetteHTTP

/// Compiles the templates of answers.
package protocol TemplateEngine: Sendable {
  /// Compiles an answer whose fields and body are templates; throws the first error in them.
  ///
  /// - Parameters:
  ///   - headers: The header fields.
  ///   - trailers: The fields behind a chunked body.
  ///   - body: The body, or each of its pieces.
  /// - Returns: The compiled answer.
  /// - Throws: ``EngineError`` with the first error.
  func answer(headers: HTTPHeaders, trailers: HTTPHeaders, body: [[UInt8]]) throws(EngineError) -> any CompiledAnswer

  /// Returns the errors in the templates of a response, which is given as JSON text.
  ///
  /// - Parameters:
  ///   - response: The member `response` as it stands in its file.
  ///   - file: Reads a body file by its path; nil if the file cannot be read.
  /// - Returns: The errors in the order of their places.
  func errors(inResponse response: [UInt8], file: (String) -> [UInt8]?) -> [EngineError]
}

/// An answer that is made for each request.
package protocol CompiledAnswer: Sendable {
  /// Renders the fields, the trailers, and the body in as many pieces as it was compiled from.
  func render(
    in context: inout TemplateContext
  ) throws(EngineError) -> (headers: HTTPHeaders, trailers: HTTPHeaders, body: [[UInt8]])
}
