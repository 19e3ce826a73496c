#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLRequest {
  /// Returns the request as a command for a POSIX shell.
  ///
  /// Tokens, keys, cookies and passwords are replaced with `***` unless `reveal` is true.
  public func curl(revealingSecrets reveal: Bool = false) -> String {
    curl(revealingSecrets: reveal, secrets: Secrets())
  }

  func curl(revealingSecrets reveal: Bool = false, secrets: Secrets) -> String {
    let mask: (String) -> String = { reveal ? $0 : "***" }
    let method = httpMethod ?? "GET"
    // Like a session, the command takes brackets and braces literally and follows redirects.
    var words = ["curl --globoff --location --compressed"]
    words.append(method == "HEAD" ? "--head" : "--request \(Self.quote(method))")
    for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      let shown = secrets.mask(value, of: name, mask)
      // In curl's syntax, a semicolon marks an empty value.
      words.append("--header " + Self.quote(shown.isEmpty ? "\(name);" : "\(name): \(shown)"))
    }
    var source = ""
    if let body = httpBody, !body.isEmpty {
      // By default curl would declare a form, and wait for `100 Continue` before a long body.
      if value(forHTTPHeaderField: "Content-Type") == nil { words.append("--header 'Content-Type:'") }
      if body.count > 1 << 16 { words.append("--header 'Expect:'") }
      if let text = String(data: body, encoding: .utf8), !text.contains("\0"), body.count < 100_000 {
        let shown = secrets.mask(body: text, type: value(forHTTPHeaderField: "Content-Type"), mask)
        words.append("--data-raw " + Self.quote(shown))
      } else {
        // A command-line argument cannot contain all bytes.
        source = "echo \(body.base64EncodedString()) | base64 --decode | "
        words.append("--data-binary @-")
      }
    }
    words.append(Self.quote(secrets.mask(url: url?.absoluteString ?? "", mask)))
    return source + words.joined(separator: " \\\n  ")
  }

  /// Quotes a word for the shell.
  private static func quote(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
