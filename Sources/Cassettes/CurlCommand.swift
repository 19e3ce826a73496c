internal import CassetteHTTP
internal import CassetteSystem

/// A request as a command for curl, for a POSIX shell.
///
/// Nothing in the request runs, reads a file or becomes an option: every word is quoted, and patterns of curl mean
/// themselves.
package struct CurlCommand: Sendable {
  /// Linux starts no program with a word of more than 128 KB; `printf` is built into a shell.
  private static let longestWord = 100_000

  private let method: HTTPMethod
  private let url: String
  private let headers: HTTPHeaders
  private let body: [UInt8]

  /// Creates the command of a request.
  ///
  /// - Parameters:
  ///   - interaction: The exchange with the request.
  ///   - origin: The origin to ask where the URL has none.
  /// - Throws: ``CassetteError`` if the body cannot be read.
  package init(_ interaction: Interaction, origin: String) throws(CassetteError) {
    let isRelative = interaction.url.hasPrefix("/") || interaction.url == "*"
    method = interaction.method
    url = isRelative ? origin + interaction.url : interaction.url
    headers = interaction.requestHeaders
    body = try interaction.requestBody?.bytes() ?? []
  }

  /// Returns the command.
  ///
  /// - Parameters:
  ///   - options: Options to begin with, such as `-i`.
  ///   - namesGET: True to write the method also where curl chooses it.
  /// - Returns: The command as a line for a shell.
  package func text(options: [String] = [], namesGET: Bool = false) -> String {
    var words = ["curl"] + options
    switch method {
    case .get where body.isEmpty && !namesGET: break
    case .head where body.isEmpty: words.append("-I")
    default: words.append("-X \(ShellWord.quoted(method.rawValue))")
    }
    // The target of `OPTIONS *` is no part of a URL.
    let isOfServer = url.hasSuffix("*") && !url.dropFirst(8).contains("/")
    words.append(ShellWord.quoted(isOfServer ? String(url.dropLast()) : url))
    if isOfServer { words.append("--request-target '*'") }
    // Braces and brackets are patterns to curl.
    if url.contains(where: { "{}[]".contains($0) }) { words.append("-g") }
    let path = url.prefix { $0 != "?" }.lowercased().replacing("%2e", with: ".")
    if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { words.append("--path-as-is") }
    for field in headers {
      // A field without a value needs a semicolon, or curl takes it out.
      words.append("-H " + ShellWord.quoted(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"))
    }
    guard !body.isEmpty else { return words.joined(separator: " ") }
    if !headers.contains("Content-Type") { words.append("-H 'Content-Type:'") }
    guard let data = String(validUTF8: body), !body.contains(0) else {
      let base64 = ShellWord.quoted(BodyBase64.text(of: body))
      return "printf '%s' \(base64) | base64 -d | \(words.joined(separator: " ")) --data-binary @-"
    }
    if body.count > Self.longestWord {
      return "printf '%s' \(ShellWord.quoted(data)) | \(words.joined(separator: " ")) --data-binary @-"
    }
    return "\(words.joined(separator: " ")) --data-raw \(ShellWord.quoted(data))"
  }
}
