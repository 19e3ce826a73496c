#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLRequest {
  /// Returns the request as a command for a POSIX shell, with `***` for secrets unless they are revealed.
  ///
  /// Secrets are tokens, keys, cookies and passwords.
  public func curl(revealingSecrets reveal: Bool = false) -> String {
    curl(revealingSecrets: reveal, secrets: Secrets())
  }

  func curl(revealingSecrets reveal: Bool = false, secrets: Secrets) -> String {
    let mask: (String) -> String = { reveal ? $0 : "***" }
    let method = httpMethod ?? "GET"
    // Brackets and braces mean themselves, and redirects are followed, as a session does.
    var words = ["curl --globoff --location --compressed"]
    words.append(method == "HEAD" ? "--head" : "--request \(Self.quote(method))")
    for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      let shown = secrets.mask(value, of: name, mask)
      // A semicolon is curl's way to say that the value is empty.
      words.append("--header " + Self.quote(shown.isEmpty ? "\(name);" : "\(name): \(shown)"))
    }
    var source = ""
    if let body = httpBody, !body.isEmpty {
      // curl would call it a form, and wait for leave to send it.
      if value(forHTTPHeaderField: "Content-Type") == nil { words.append("--header 'Content-Type:'") }
      if body.count > 1 << 16 { words.append("--header 'Expect:'") }
      if let text = String(data: body, encoding: .utf8), !text.contains("\0"), body.count < 100_000 {
        let shown = secrets.mask(body: text, type: value(forHTTPHeaderField: "Content-Type"), mask)
        words.append("--data-raw " + Self.quote(shown))
      } else {
        // An argument cannot carry every byte.
        source = "echo \(body.base64EncodedString()) | base64 --decode | "
        words.append("--data-binary @-")
      }
    }
    words.append(Self.quote(secrets.mask(url: url?.absoluteString ?? "", mask)))
    return source + words.joined(separator: " \\\n  ")
  }

  /// A word as the shell takes it, whatever is in it.
  private static func quote(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
