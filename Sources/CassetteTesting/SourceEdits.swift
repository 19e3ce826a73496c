internal import CassetteSystem
import Cassettes
import Foundation

/// The expected requests that this process has written into test files.
///
/// An edit moves the lines below it, but the running program only knows the line numbers from its compilation.
enum SourceEdits {
  private struct Edit {
    /// The number of lines that the edit added to the file.
    let growth: Int
    let text: String
  }

  private static let edits = Locked<[String: [Int: Edit]]>([:])
  private static let call = "expectRequests"

  /// Writes a text as the string literal of a call, and replaces an existing literal.
  ///
  /// - `text`: The text, without a line feed at the end.
  /// - `line`: The line of the call when the file was compiled, counted from 1.
  ///
  /// Returns the reason why nothing was written; nil if the file contains the text.
  static func write(_ text: String, toCallAt line: Int, in path: String) -> String? {
    edits.withLock { edits in
      let former = edits[path] ?? [:]
      if let edit = former[line] {
        return edit.text == text ? nil : "the call was made several times with different requests"
      }
      let moved = former.filter { $0.key < line }.reduce(0) { $0 + $1.value.growth }
      guard let bytes = try? CassetteFileBytes.read(path: path) else { return "\(path) cannot be read" }
      let source = String(decoding: bytes, as: UTF8.self)
      guard let changed = replacing(text, inCallAt: line + moved, of: source) else {
        return "no call of \(call) with a literal at line \(line); build again if the file has changed"
      }
      do {
        try Data(changed.utf8).write(to: URL(filePath: path), options: .atomic)
      } catch {
        return "\(error)"
      }
      let lines = { (text: String) in text.utf8.count { $0 == 0x0a } }
      edits[path, default: [:]][line] = Edit(growth: lines(changed) - lines(source), text: text)
      return nil
    }
  }

  /// Returns a source with the literal of a call replaced; nil if the call is not at the line.
  static func replacing(_ text: String, inCallAt line: Int, of source: String) -> String? {
    var start = source.startIndex
    for _ in 1..<max(1, line) {
      guard let end = source[start...].firstIndex(of: "\n") else { return nil }
      start = source.index(after: end)
    }
    let end = source[start...].firstIndex(of: "\n") ?? source.endIndex
    guard let found = source[start..<end].range(of: call) else { return nil }
    let indentation = String(source[start...].prefix { $0 == " " || $0 == "\t" })
    var rest = source[found.upperBound...].drop(while: \.isWhitespace)
    if rest.hasPrefix("(") {
      guard let close = rest.firstIndex(of: ")") else { return nil }
      let after = rest[rest.index(after: close)...]
      rest = after.drop { $0 == " " }
      guard rest.hasPrefix("{") else { return replaced(found.upperBound..<after.startIndex) }
    }
    guard rest.hasPrefix("{") else { return nil }
    let literal = rest.dropFirst().drop(while: \.isWhitespace)
    guard let after = endOfLiteral(literal) else { return nil }
    let close = source[after...].drop(while: \.isWhitespace)
    guard close.hasPrefix("}") else { return nil }
    return replaced(found.upperBound..<source.index(after: close.startIndex))

    func replaced(_ range: Range<String.Index>) -> String {
      let hashes = text.contains("\\") || text.contains("\"\"\"") ? "#" : ""
      let content = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let lines = ["\(hashes)\"\"\""] + content + ["\"\"\"\(hashes)"]
      let body = lines.map { $0.isEmpty ? "\n" : "\(indentation)  \($0)\n" }.joined()
      return "\(source[..<range.lowerBound]) {\n\(body)\(indentation)}\(source[range.upperBound...])"
    }
  }

  /// Returns the end of the string literal at the start of a string.
  private static func endOfLiteral(_ text: Substring) -> String.Index? {
    let hashes = text.prefix { $0 == "#" }
    let rest = text.dropFirst(hashes.count)
    if rest.hasPrefix("\"\"\"") {
      return rest.dropFirst(3).range(of: "\"\"\"\(hashes)")?.upperBound
    }
    guard rest.hasPrefix("\"") else { return nil }
    var at = rest.index(after: rest.startIndex)
    while at < rest.endIndex, rest[at] != "\n" {
      if rest[at...].hasPrefix("\"\(hashes)") { return rest.index(at, offsetBy: 1 + hashes.count) }
      if hashes.isEmpty, rest[at] == "\\" {
        at = rest.index(after: at)
        if at == rest.endIndex { return nil }
      }
      at = rest.index(after: at)
    }
    return nil
  }
}
