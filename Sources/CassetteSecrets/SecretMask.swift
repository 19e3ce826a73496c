package import CassetteHTTP

/// Masks secrets for display; all secrets get the same mask.
package enum SecretMask {
  private static let blank = RedactionPass(.standard, hidesAll: true)

  /// Masks every secret that can be found in the text itself.
  package static func masked(_ text: String, _ context: ScannedText.Context) -> String {
    var pass = blank
    pass.collect(Array(text.utf8), context)
    return pass.holdsAny ? pass.redacting(text, as: context) : text
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
    SecretMask.masked(body, ScannedText.Context(contentType.flatMap { MediaType($0) }))
  }
}

extension ScannedText.Context {
  /// Chooses the context of a body by its media type.
  package init(_ type: MediaType?) {
    self =
      switch (type?.type, type?.subtype) {
      case ("application", "x-www-form-urlencoded"): .form
      case ("multipart", _): .multipart(boundary: type?.parameter("boundary") ?? "")
      default: .body
      }
  }
}
