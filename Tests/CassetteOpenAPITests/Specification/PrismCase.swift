import CassetteHTTP
import CassetteJSON
import Foundation

@testable import CassetteOpenAPI

/// A case of Prism's harness: a document, a curl command and the expected output.
struct PrismCase {
  let document: String
  let server: String
  let command: String
  let expected: String
  let isLoose: Bool

  init?(_ text: String) {
    var sections: [String: String] = [:]
    var name = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("===="), line.hasSuffix("====") {
        name = String(line.filter { $0 != "=" })
      } else {
        sections[name, default: ""] += line + "\n"
      }
    }
    guard let document = sections["spec"], let command = sections["command"] else { return nil }
    (self.document, self.command) = (document, command)
    server = sections["server"] ?? ""
    isLoose = sections["expect"] == nil
    expected = sections["expect"] ?? sections["expect-loose"] ?? sections["expect-keysOnly"] ?? ""
  }

  var status: Int? { expected.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } }

  var fields: [String: String] {
    var fields: [String: String] = [:]
    for line in expected.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
      guard !line.isEmpty, let colon = line.firstIndex(of: ":") else { break }
      fields[line[..<colon].lowercased()] = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
    }
    return fields
  }

  var body: String {
    guard let blank = expected.range(of: "\n\n") else { return "" }
    return expected[blank.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// True if curl shows only the head.
  var isHeadOnly: Bool { command.contains("--head") || command.contains("-sI") }

  /// The request of the curl command, with Prism's query parameters as `Prefer`.
  var request: HTTPRequest? {
    var (method, url, data): (String?, String?, String?) = (nil, nil, nil)
    var headers = HTTPHeaders()
    var parts: [(String, String)] = []
    var words = Self.words(command)[...].dropFirst()
    while let word = words.popFirst() {
      switch word {
      case "-X", "--request": method = words.popFirst()
      case "-H", "--header":
        let field = words.popFirst() ?? ""
        let pair = field.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if pair.count == 2 { headers.append(pair[0], pair[1]) }
      case "-d", "--data": data = words.popFirst()
      case "-F":
        let pair = (words.popFirst() ?? "").split(separator: "=", maxSplits: 1).map(String.init)
        parts.append((pair[0], pair[1]))
      case "--cookie": headers.append("Cookie", words.popFirst() ?? "")
      case "--head": method = "HEAD"
      case "-sIXGET": method = "GET"
      case "-i", "--location": break
      default: url = word
      }
    }
    if !parts.isEmpty {
      headers.set("Content-Type", "multipart/form-data; boundary=cut")
      data =
        parts.map { "--cut\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }.joined()
        + "--cut--\r\n"
    } else if data != nil, !headers.contains("Content-Type") {
      headers.append("Content-Type", "application/x-www-form-urlencoded")
    }
    guard let url, let start = url.range(of: ":4010") else { return nil }
    var target = String(url[start.upperBound...])
    var preferences: [String] = []
    if server.contains(" -d") || server.contains("--dynamic") { preferences.append("dynamic=true") }
    if let mark = target.firstIndex(of: "?") {
      var kept: [Substring] = []
      for item in target[mark...].dropFirst().split(separator: "&") {
        if item.hasPrefix("__") { preferences.insert(String(item.dropFirst(2)), at: 0) } else { kept.append(item) }
      }
      target = target[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
    if !preferences.isEmpty { headers.append("Prefer", preferences.joined(separator: ", ")) }
    guard let parsed = HTTPTarget(target) else { return nil }
    return HTTPRequest(
      method: HTTPMethod(method ?? (data == nil ? "GET" : "POST")), target: parsed, headers: headers,
      body: Array((data ?? "").utf8))
  }

  /// Splits a shell command into words.
  private static func words(_ command: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isOpen = false
    var characters = command.trimmingCharacters(in: .whitespacesAndNewlines)[...]
    while let character = characters.popFirst() {
      if character == "\\", quote != "'" {
        if let next = characters.popFirst(), !next.isNewline { word.append(next) }
      } else if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" {
        (quote, isOpen) = (character, true)
      } else if character.isWhitespace {
        if !word.isEmpty || isOpen { words.append(word) }
        (word, isOpen) = ("", false)
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty || isOpen { words.append(word) }
    return words
  }

  // MARK: What came of it

  /// Returns the difference between a response and Prism's, or nil if they are equal.
  func difference(from answer: HTTPResponse?) -> String? {
    guard let answer else { return status == 404 ? nil : "no answer, not \(status ?? 0)" }
    guard answer.status.code == status else { return "status \(answer.status.code), not \(status ?? 0)" }
    let type = answer.headers["Content-Type"] ?? ""
    for (name, value) in fields where name == "content-type" && !type.hasPrefix(value) {
      return "type \(type), not \(value)"
    }
    for (name, value) in fields where name != "content-type" && name != "sl-violations" {
      guard name != "www-authenticate" || answer.headers[name] != nil else { return "no \(name)" }
      if name != "www-authenticate", answer.headers[name] != value {
        return "\(name): \(answer.headers[name] ?? "nothing")"
      }
    }
    guard !isHeadOnly, !body.isEmpty else { return nil }
    // The messages of problem documents differ between servers.
    if body.contains("stoplight.io/prism/errors") {
      return type == "application/problem+json" ? nil : "no problem document"
    }
    let text = String(decoding: answer.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if text == body { return nil }
    guard let wanted = JSONTree(Array(body.utf8)), let got = JSONTree(answer.body) else {
      return isLoose && text.contains("<title>") ? nil : "body \(text)"
    }
    if wanted.canonical(wanted.root) == got.canonical(got.root) { return nil }
    // Placeholder values differ from Prism's if the document has no example.
    let hasExample = document.contains("example") || document.contains("default:") || document.contains("const:")
    return isLoose || !hasExample || document.contains("idn-email") ? Self.shape(wanted, got) : "body \(text)"
  }

  private static func shape(_ wanted: JSONTree, _ got: JSONTree) -> String? {
    let (one, other) = (OpenAPINodes(wanted), OpenAPINodes(got))
    let missing = one.members(wanted.root).map(\.name).filter { other[$0, got.root] == nil }
    return missing.isEmpty ? nil : "without \(missing.joined(separator: ", "))"
  }
}
