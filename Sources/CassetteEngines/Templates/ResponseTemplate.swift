package import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
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
  /// - `type`: The media type of the body. If it is nil, a body that parses as JSON counts as JSON.
  /// - `isWhole`: False if `body` is one of several pieces. Default: true.
  package static func content(of type: MediaType?, _ body: [UInt8], isWhole: Bool = true) -> TemplateContent {
    guard let type else { return isWhole && JSONValue(body) != nil ? .json : .text }
    if type.isJSON { return isWhole ? .json : .jsonPiece }
    if type.isJSONSequence || type.subtype == "event-stream" { return .jsonPiece }
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

/// Finds errors in the templates of a recorded response, each with its offset in the response's JSON.
package struct TemplateChecker {
  private let tree: JSONTree
  private let file: (String) -> [UInt8]?
  private var errors: [EngineError] = []

  /// Returns the errors in the templates of a response.
  ///
  /// - `file`: Returns the contents of the body file at a path, or nil if the file cannot be read.
  package static func errors(in response: [UInt8], file: (String) -> [UInt8]?) -> [EngineError] {
    withoutActuallyEscaping(file) { file in
      guard let tree = JSONTree(response), case .object(let members) = tree.root.kind else { return [] }
      var checker = TemplateChecker(tree: tree, file: file)
      checker.check(members)
      return checker.errors
    }
  }

  private init(tree: JSONTree, file: @escaping (String) -> [UInt8]?) { (self.tree, self.file) = (tree, file) }

  private mutating func check(_ members: [JSONTree.Member]) {
    var type: MediaType?
    for member in members where ["headers", "trailers"].contains(member.text) {
      guard case .array(let fields) = member.value.kind else { continue }
      for field in fields {
        guard case .array(let pair) = field.kind, pair.count > 1 else { continue }
        let name = String(decoding: text(of: pair[0]), as: UTF8.self)
        if name.lowercased() == "content-type" { type = MediaType(String(decoding: text(of: pair[1]), as: UTF8.self)) }
        check([pair[1]], as: ResponseTemplate.content(ofField: name))
      }
    }
    guard case .object(let forms)? = tree.root["body"]?.kind else { return }
    for form in forms {
      switch form.text {
      case "json":
        let value = Array(tree.bytes[form.value.range])
        guard let error = Self.error(in: value, as: ResponseTemplate.content(of: type, value)) else { continue }
        report(error, at: form.value.range.lowerBound + error.offset)
      case "text":
        let pieces = strings(of: form.value)
        check(pieces, as: ResponseTemplate.content(of: type, pieces.flatMap { text(of: $0) }))
      case "chunks":
        guard case .array(let chunks) = form.value.kind else { continue }
        for case let value? in chunks.map({ $0["text"] }) {
          check(strings(of: value), as: ResponseTemplate.content(of: type, [], isWhole: false))
        }
      case "file": checkFile(form.value, type)
      default: break
      }
    }
  }

  private func strings(of node: JSONTree.Node) -> [JSONTree.Node] {
    if case .array(let pieces) = node.kind { pieces } else { [node] }
  }

  private func text(of node: JSONTree.Node) -> [UInt8] { JSONTree.text(ofString: tree.bytes[node.range]) }

  /// Checks a template that is one JSON string, or the concatenation of several strings.
  private mutating func check(_ pieces: [JSONTree.Node], as content: TemplateContent) {
    let texts = pieces.map { text(of: $0) }
    guard let error = Self.error(in: texts.flatMap(\.self), as: content) else { return }
    var offset = error.offset
    for (text, piece) in zip(texts, pieces) {
      guard offset > text.count else {
        let written = TemplatePlace.written(offset, in: tree.bytes[piece.range].dropFirst().dropLast())
        return report(error, at: piece.range.lowerBound + 1 + written)
      }
      offset -= text.count
    }
    report(error, at: 0)
  }

  /// Checks a template in a body file.
  ///
  /// The errors contain positions in that file.
  private mutating func checkFile(_ node: JSONTree.Node, _ type: MediaType?) {
    let path = String(decoding: text(of: node), as: UTF8.self)
    guard let body = file(path), let error = Self.error(in: body, as: ResponseTemplate.content(of: type, body)) else {
      return
    }
    let (line, column) = JSONPosition.of(error.offset, in: body.span)
    report(error, at: node.range.lowerBound, in: "\(path):\(line):\(column): ")
  }

  private static func error(in text: [UInt8], as content: TemplateContent) -> TemplateError? {
    do throws(TemplateError) {
      _ = try Template(text, as: content)
      return nil
    } catch {
      return error
    }
  }

  private mutating func report(_ error: TemplateError, at offset: Int, in file: String = "") {
    let suggestion = error.unknown.flatMap { question(about: $0, among: error.known) } ?? error.suggestion
    errors.append(EngineError("template: \(file)\(error.message)", at: offset, suggestion))
  }
}

/// A template, which is parsed once and rendered for each request.
///
/// ```
/// {"id": "{{path.id}}", "page": "{{number query.page default=1}}", "at": "{{now}}"}
/// ```
struct Template: Sendable {
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
  /// - `content`: The format of the text, which determines how values are escaped.
  init(_ text: [UInt8], as content: TemplateContent) throws(TemplateError) {
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
  func render(in context: inout TemplateContext) throws(TemplateError) -> [UInt8] {
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

extension TemplateEntry {
  /// The place of the recording, for errors.
  var place: SourcePlace { interaction.place ?? SourcePlace(file: cassette, line: 0, column: 0) }
}
