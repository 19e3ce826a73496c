internal import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// A text that is made for each request: read once, rendered often.
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

  /// Reads a template in UTF-8, whose content decides how values are escaped; throws what is wrong, with its offset.
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

  /// True if the text is the same for every request.
  package var isConstant: Bool { if case .constant = form { true } else { false } }

  /// Renders the text within bounds of time and length, as JSON where it is to be; the context's random numbers move
  /// on.
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
        throw TemplateError("what comes out is not JSON: at its byte \(error.offset), \(error.message)", at: 0)
      }
      return writer.bytes
    }
  }
}
