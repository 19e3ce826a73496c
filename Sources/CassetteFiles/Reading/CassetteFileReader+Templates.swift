internal import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
internal import CassetteTemplates
internal import Cassettes

/// Answers that are made for each request: what is wrong with their templates is said where it is written.
extension CassetteFileReader {
  /// Reads the templates of a response that begins at an offset and ends where the reader is.
  mutating func checkTemplates(_ bytes: Span<UInt8>, from start: Int) throws(CassetteError) {
    guard let tree = JSONTree(Array(bytes.extracting(start..<at))), case .object(let members) = tree.root.kind else {
      return
    }
    var type: MediaType?
    for member in members where ["headers", "trailers"].contains(member.text) {
      guard case .array(let fields) = member.value.kind else { continue }
      for field in fields {
        guard case .array(let pair) = field.kind, pair.count > 1 else { continue }
        let (name, value) = (text(of: pair[0], in: tree), text(of: pair[1], in: tree))
        let fieldName = String(decoding: name, as: UTF8.self)
        if fieldName.lowercased() == "content-type" { type = MediaType(String(decoding: value, as: UTF8.self)) }
        try check([pair[1]], in: tree, as: ResponseTemplate.content(ofField: fieldName), bytes, start)
      }
    }
    guard case .object(let forms)? = tree.root["body"]?.kind else { return }
    for form in forms {
      switch form.text {
      case "json":
        let value = Array(tree.bytes[form.value.range])
        let offset = start + form.value.range.lowerBound
        do throws(TemplateError) {
          _ = try Template(value, as: ResponseTemplate.content(of: type, value))
        } catch {
          try report(bytes, offset + error.offset, error)
        }
      case "text":
        let pieces = strings(of: form.value)
        let whole = pieces.flatMap { text(of: $0, in: tree) }
        try check(pieces, in: tree, as: ResponseTemplate.content(of: type, whole), bytes, start)
      case "chunks":
        guard case .array(let chunks) = form.value.kind else { continue }
        for case let value? in chunks.map({ $0["text"] }) {
          try check(
            strings(of: value), in: tree, as: ResponseTemplate.content(of: type, [], isWhole: false), bytes, start)
        }
      case "file": try checkFile(text(of: form.value, in: tree), type, bytes, start + form.value.range.lowerBound)
      default: break
      }
    }
  }

  private func strings(of node: JSONTree.Node) -> [JSONTree.Node] {
    if case .array(let pieces) = node.kind { pieces } else { [node] }
  }

  private func text(of node: JSONTree.Node, in tree: JSONTree) -> [UInt8] {
    JSONTree.text(ofString: tree.bytes[node.range])
  }

  /// A text of one string or several that are joined.
  private mutating func check(
    _ pieces: [JSONTree.Node], in tree: JSONTree, as content: TemplateContent, _ bytes: Span<UInt8>, _ start: Int
  ) throws(CassetteError) {
    let texts = pieces.map { text(of: $0, in: tree) }
    do throws(TemplateError) {
      _ = try Template(texts.flatMap(\.self), as: content)
    } catch {
      var offset = error.offset
      for (text, piece) in zip(texts, pieces) {
        guard offset > text.count else {
          let written = TemplatePlace.written(offset, in: tree.bytes[piece.range].dropFirst().dropLast())
          return try report(bytes, start + piece.range.lowerBound + 1 + written, error)
        }
        offset -= text.count
      }
      try report(bytes, start, error)
    }
  }

  private mutating func report(_ bytes: Span<UInt8>, _ offset: Int, _ error: TemplateError) throws(CassetteError) {
    try report(bytes, offset, "template: \(error.message)", Self.suggestion(for: error))
  }

  private static func suggestion(for error: TemplateError) -> String? {
    error.unknown.flatMap { question(about: $0, among: error.known) } ?? error.suggestion
  }

  /// A body in a file of its own has places of its own.
  private mutating func checkFile(
    _ path: [UInt8], _ type: MediaType?, _ bytes: Span<UInt8>, _ offset: Int
  ) throws(CassetteError) {
    let path = String(decoding: path, as: UTF8.self)
    // What cannot be read was said before.
    guard let folder, let body = try? CassetteFile.bodyBytes(of: path, in: folder) else { return }
    do throws(TemplateError) {
      _ = try Template(body, as: ResponseTemplate.content(of: type, body))
    } catch {
      let (line, column) = JSONPosition.of(error.offset, in: body.span)
      try report(bytes, offset, "template: \(path):\(line):\(column): \(error.message)", Self.suggestion(for: error))
    }
  }
}
