internal import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// A template, which is parsed once and rendered for each request.
///
/// ```
/// {"id": "{{path.id}}", "page": "{{number query.page default=1}}", "at": "{{now}}"}
/// ```
package struct Template: Sendable {
  private enum Form: Sendable {
    case constant([UInt8])
    case json(JSONTemplate)
    case parts([TemplateNode])
  }

  private let form: Form
  private let content: TemplateContent
  private let size: Int

  /// Parses a template.
  ///
  /// - Parameters:
  ///   - text: The template, in UTF-8.
  ///   - content: The format of the text, which determines how values are escaped.
  /// - Throws: The first syntax error, with its offset.
  package init(_ text: [UInt8], as content: TemplateContent) throws(TemplateError) {
    self.content = content
    size = text.count
    if !TemplateParser.isTemplate(text) {
      form = .constant(text)
    } else if content == .json, let template = try JSONTemplate(text) {
      form = .json(template)
    } else {
      form = .parts(try TemplateParser.parse(text))
    }
  }

  /// True if the template contains no expressions.
  package var isConstant: Bool { if case .constant = form { true } else { false } }

  /// Renders the template within the limits of `TemplateBudget`, and advances the context's random numbers.
  ///
  /// - Parameter context: The request and the state that the expressions read.
  /// - Returns: The rendered text.
  /// - Throws: An error if a limit is exceeded, or if the format is JSON and the result is invalid.
  package func render(in context: inout TemplateContext) throws(TemplateError) -> [UInt8] {
    if case .constant(let text) = form { return text }
    var scope = TemplateScope(context)
    defer { context.random = scope.context.random }
    switch form {
    case .constant(let text): return text
    case .json(let template): return try template.render(in: &scope, capacity: size + size / 2)
    case .parts(let nodes):
      var writer = TemplateWriter(content, capacity: size + size / 2)
      try scope.render(nodes, into: &writer)
      guard content == .json else { return writer.bytes }
      do {
        try JSONScanner.validate(writer.bytes.span)
      } catch {
        throw TemplateError("the result is not JSON: at byte \(error.offset), \(error.message)", at: 0)
      }
      return writer.bytes
    }
  }
}
