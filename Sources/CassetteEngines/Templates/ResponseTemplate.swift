package import CassetteHTTP
internal import CassetteJSON
package import Cassettes

/// A response whose header fields and body are templates.
package struct ResponseTemplate: Sendable {
  private let headers: Fields
  private let trailers: Fields
  /// The templates of the body's pieces.
  ///
  /// A body that is not streamed has one piece.
  private let body: [Template]

  /// Parses the templates of a response: those of each header field and each piece of the body.
  ///
  /// - Throws: The first syntax error.
  package init(headers: HTTPHeaders, trailers: HTTPHeaders = [], body: [[UInt8]]) throws(TemplateError) {
    self.headers = try Fields(headers)
    self.trailers = try Fields(trailers)
    let type = headers.mediaType
    var templates: [Template] = []
    for piece in body {
      templates.append(try Template(piece, as: Self.content(of: type, piece, isWhole: body.count == 1)))
    }
    self.body = templates
  }

  /// Renders the header fields, the trailer fields and the body.
  ///
  /// - Parameter context: The request and the state that the expressions read.
  /// - Returns: The rendered response. `body` has as many pieces as the template's body.
  /// - Throws: An error if a limit is exceeded, or if a JSON body is invalid.
  package func render(
    in context: inout TemplateContext
  ) throws(EngineError) -> (headers: HTTPHeaders, trailers: HTTPHeaders, body: [[UInt8]]) {
    do throws(TemplateError) {
      let fields = try headers.render(in: &context)
      var pieces: [[UInt8]] = []
      for template in body { pieces.append(try template.render(in: &context)) }
      return (fields, try trailers.render(in: &context), pieces)
    } catch {
      throw EngineError(error.message, at: error.offset, error.suggestion)
    }
  }

  /// Returns the format of a body, which determines how values are escaped.
  ///
  /// - Parameters:
  ///   - type: The media type of the body. If it is nil, a body that parses as JSON counts as JSON.
  ///   - body: The template of the body, or of one piece.
  ///   - isWhole: False if `body` is one of several pieces. Default: true.
  /// - Returns: The format.
  package static func content(of type: MediaType?, _ body: [UInt8], isWhole: Bool = true) -> TemplateContent {
    guard let type else { return isWhole && JSONValue(body) != nil ? .json : .text }
    if type.isJSON { return isWhole ? .json : .jsonPiece }
    if ["x-ndjson", "jsonl", "json-seq", "event-stream"].contains(type.subtype) { return .jsonPiece }
    if type.subtype == "x-www-form-urlencoded" { return .form }
    let isMarkup = type.subtype == "html" || type.subtype == "xml" || type.subtype.hasSuffix("+xml")
    return isMarkup ? .markup : .text
  }

  /// Returns the format of a header field's value, which determines how inserted values are escaped.
  package static func content(ofField name: String) -> TemplateContent {
    ["location", "content-location", "link", "refresh"].contains(name.lowercased()) ? .link : .field
  }
}

/// Header fields whose values are templates.
private struct Fields: Sendable {
  private let fields: [(field: HTTPHeaders.Field, value: Template)]
  private let constant: HTTPHeaders?

  init(_ headers: HTTPHeaders) throws(TemplateError) {
    var fields: [(field: HTTPHeaders.Field, value: Template)] = []
    for field in headers {
      fields.append((field, try Template(Array(field.value.utf8), as: ResponseTemplate.content(ofField: field.name))))
    }
    self.fields = fields
    constant = fields.allSatisfy(\.value.isConstant) ? headers : nil
  }

  func render(in context: inout TemplateContext) throws(TemplateError) -> HTTPHeaders {
    if let constant { return constant }
    var headers = HTTPHeaders()
    for (field, value) in fields {
      guard !value.isConstant else {
        headers.append(field)
        continue
      }
      let text = String(decoding: try value.render(in: &context), as: UTF8.self)
      headers.append(.init(name: field.name, value: text))
    }
    return headers
  }
}
