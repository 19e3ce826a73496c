internal import CassetteHTTP

/// Masks secrets for display; all secrets get the same mask.
package enum SecretMask {
  private static let rules = RedactionRules(.standard, hidesAll: true)

  /// Masks every secret that can be found in the text itself.
  package static func masked(_ text: String, _ context: ScannedText.Context) -> String {
    let bytes = Array(text.utf8)
    var table = SecretTable()
    let replacements = replacements(in: ScannedText(bytes, context, rules))
    return replacements.isEmpty ? text : String(decoding: replacements.applied(to: bytes, &table), as: UTF8.self)
  }

  private static func replacements(in reading: ScannedText) -> Replacements {
    var replacements = Replacements()
    for place in reading.named {
      replacements.insert([place.range] + place.rest, .mask(isQuoted: place.found.isNumber))
    }
    var table = SecretTable()
    for token in reading.tokens { _ = table.secret(token.value) }
    for inner in reading.views.reversed().flatMap(\.inner) {
      let within = Self.replacements(in: inner.reading)
      if !within.isEmpty { replacements.insert(inner.ranges, .wrapped(inner.reading.bytes, within, inner.wrapping)) }
    }
    for (ranges, _) in reading.matches.find(table, in: reading) { replacements.insert(ranges, .mask(isQuoted: false)) }
    replacements.settle()
    return replacements
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
