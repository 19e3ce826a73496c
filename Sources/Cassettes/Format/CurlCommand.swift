internal import CassetteHTTP
internal import CassetteSystem

/// A request as a curl command for a POSIX shell.
///
/// No part of the request is executed, read as a file name or parsed as an option: every word is quoted, and curl's URL
/// patterns are disabled.
package struct CurlCommand: Sendable {
  /// Linux limits an argument of a program to 128 KB; a shell's built-in `printf` has no such limit.
  private static let longestWord = 100_000

  private let method: HTTPMethod
  private let url: String
  private let headers: HTTPHeaders
  private let body: [UInt8]

  /// Creates a command for a request.
  ///
  /// - `origin`: The origin to use if the URL has none.
  package init(_ interaction: Interaction, origin: String) throws(CassetteError) {
    let isRelative = interaction.url.hasPrefix("/") || interaction.url == "*"
    method = interaction.method
    url = isRelative ? origin + interaction.url : interaction.url
    headers = interaction.requestHeaders
    body = try interaction.requestBody?.bytes() ?? []
  }

  /// Returns the command.
  ///
  /// - `options`: Options at the start of the command, such as `-i`.
  /// - `namesGET`: True to write the method even if curl would choose it. False by default.
  /// - `separator`: The text between the words, such as an escaped line feed. A space by default.
  package func text(options: [String] = [], namesGET: Bool = false, separator: String = " ") -> String {
    var words = ["curl"] + options
    switch method {
    case .get where body.isEmpty && !namesGET: break
    case .head where body.isEmpty: words.append("-I")
    default: words.append("-X \(ShellWord.quoted(method.rawValue))")
    }
    // The `*` in the URL of `OPTIONS *` is not part of the path.
    let isOfServer = url.hasSuffix("*") && !url.dropFirst(8).contains("/")
    words.append(ShellWord.quoted(isOfServer ? String(url.dropLast()) : url))
    if isOfServer { words.append("--request-target '*'") }
    // curl interprets braces and brackets as patterns.
    if url.contains(where: { "{}[]".contains($0) }) { words.append("-g") }
    let path = url.prefix { $0 != "?" }.lowercased().replacing("%2e", with: ".")
    if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { words.append("--path-as-is") }
    for field in headers {
      // curl removes a field without a value unless a semicolon follows its name.
      words.append("-H " + ShellWord.quoted(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"))
    }
    guard !body.isEmpty else { return words.joined(separator: separator) }
    if !headers.contains("Content-Type") { words.append("-H 'Content-Type:'") }
    guard let data = String(validUTF8: body), !body.contains(0) else {
      let base64 = ShellWord.quoted(BodyBase64.text(of: body))
      return "printf '%s' \(base64) | base64 -d | \(words.joined(separator: separator)) --data-binary @-"
    }
    if body.count > Self.longestWord {
      return "printf '%s' \(ShellWord.quoted(data)) | \(words.joined(separator: separator)) --data-binary @-"
    }
    return "\(words.joined(separator: separator))\(separator)--data-raw \(ShellWord.quoted(data))"
  }
}
