import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// A cassette's requests as commands for curl.
package enum CurlWriter {
  /// Linux starts no program with a word of more than 128 KB; `printf` is none, a shell has it built in.
  private static let longestWord = 100_000

  /// Writes a comment with the id and a command for each request, for a POSIX shell.
  package static func bytes(of cassette: Cassette) throws(CassetteError) -> [UInt8] {
    var text = ""
    for interaction in cassette.interactions {
      let isRelative = interaction.url.hasPrefix("/") || interaction.url == "*"
      let url = isRelative ? (cassette.origin ?? "http://127.0.0.1:8080") + interaction.url : interaction.url
      var words = ["curl", "-i"]
      // Braces and brackets are patterns to curl.
      if url.contains(where: { "{}[]".contains($0) }) { words.append("-g") }
      let path = url.prefix { $0 != "?" }.lowercased().replacing("%2e", with: ".")
      if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { words.append("--path-as-is") }
      let body = try interaction.requestBody?.bytes() ?? []
      switch interaction.method {
      case .get where body.isEmpty: break
      case .head: words.append("-I")
      default: words.append("-X \(ShellWord.quoted(interaction.method.rawValue))")
      }
      words.append(ShellWord.quoted(url))
      for field in interaction.requestHeaders {
        // A field without a value needs a semicolon, or curl takes it out.
        words.append("-H " + ShellWord.quoted(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"))
      }
      var before = ""
      if !body.isEmpty {
        if !interaction.requestHeaders.contains("Content-Type") { words.append("-H 'Content-Type:'") }
        if let data = String(validUTF8: body), !body.contains(0) {
          if body.count > longestWord {
            before = "printf '%s' \(ShellWord.quoted(data)) | "
            words.append("--data-binary @-")
          } else {
            words.append("--data-raw \(ShellWord.quoted(data))")
          }
        } else {
          before = "printf '%s' \(ShellWord.quoted(BodyBase64.text(of: body))) | base64 -d | "
          words.append("--data-binary @-")
        }
      }
      text += "# \(Printable.escaped(interaction.id))\n\(before)\(words.joined(separator: " "))\n"
    }
    return Array(text.utf8)
  }
}
