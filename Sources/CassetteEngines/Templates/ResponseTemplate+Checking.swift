internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Finds errors in the templates of a recorded response, each with its offset in the response's JSON.
package struct TemplateChecker {
  private let tree: JSONTree
  private let file: (String) -> [UInt8]?
  private var errors: [EngineError] = []

  /// Returns the errors in the templates of a response.
  ///
  /// - Parameters:
  ///   - response: The response of a recording, as JSON.
  ///   - file: Returns the contents of the body file at a path, or nil if the file cannot be read.
  /// - Returns: One error for each invalid template.
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
