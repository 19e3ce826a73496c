internal import CassetteHTTP

/// Masks secrets for display; all secrets get the same mask.
package enum SecretMask {
  private static let blank = RedactionPass(.standard, hidesAll: true)

  /// Masks every secret that can be found in the text itself.
  package static func masked(_ text: String, _ context: ScannedText.Context) -> String {
    var pass = blank
    pass.collecting { _ = $0.replacing(in: text, context) }
    guard pass.holdsAny, pass.beginReplacing(onlyKnown: false) else { return text }
    return pass.replacing(in: text, context) ?? text
  }
}

extension SecretNames {
  /// Masks the values of secret parameters, and user information, in a URL or a path.
  package static func masked(url: String) -> String { SecretMask.masked(url, .url) }

  /// Masks a field's value, for display.
  package static func masked(field name: String, value: String) -> String {
    if isField(name) { return mask }
    switch name.lowercased() {
    case "referer", "location", "content-location", "link": return masked(url: value)
    default: return SecretMask.masked(value, .header(name.lowercased()))
    }
  }

  /// Masks the values of secret members or fields in a body's text, even of broken JSON.
  package static func masked(body: String, contentType: String?) -> String {
    let type = contentType.flatMap { MediaType($0) }
    switch (type?.type, type?.subtype) {
    case ("application", "x-www-form-urlencoded"): return SecretMask.masked(body, .form)
    case ("multipart", _): return SecretMask.masked(body, .multipart(boundary: type?.parameter("boundary") ?? ""))
    default: return SecretMask.masked(body, .body)
    }
  }
}
