internal import CassetteShapes
internal import CassetteSystem

/// The places of a text whose name stands elsewhere: fields, and the parts of a form.
extension ScannedText {
  /// A scanned text that is looked at several times, and not copied.
  final class Kept: Sendable {
    let text: ScannedText

    init(_ bytes: [UInt8], _ context: Context, _ rules: RedactionRules) { text = ScannedText(bytes, context, rules) }
  }

  /// A field by which its scanned text is found.
  struct Field: Hashable {
    var name: String
    var value: String
  }

  /// Reads a field by its name.
  mutating func readField(_ rules: RedactionRules) {
    guard case .header(let name) = context else { return }
    func take(_ found: SecretFinder.Found) { named.append(Place(found: found, range: found.range)) }
    if name == "sec-websocket-protocol" { return bytes.searching { rules.finder.subprotocols(in: $0, take) } }
    guard rules.finder.redaction.takesOut(header: name) else {
      if SecretNames.verdict(onField: name) == .secretIfToken,
        SecretFinder.isRandom(bytes) || bytes.count >= 12 && Prose.isMixed(bytes) && !Prose.isNumbered(bytes)
      {
        take(SecretFinder.Found(range: bytes.indices, value: bytes, name: name))
      }
      return
    }
    if name == "cookie" || name == "set-cookie" {
      rules.finder.cookies(in: bytes, isSetCookie: name == "set-cookie", take)
    } else if rules.finder.redaction.redacted.contains(.header(name)) || rules.finder.takes(bytes, name),
      let found = SecretFinder.credential(bytes.indices, bytes, ofField: name)
    {
      take(found)
    }
  }

  /// Reads the parts of a form; what they say comes before what notation says.
  mutating func readParts(_ rules: RedactionRules) {
    var boundary: String?
    switch context {
    case .multipart(let given):
      if !given.isEmpty, bytes.firstIndex(of: Array("--\(given)".utf8)) != nil { boundary = given }
    case .body, .text: break
    case .url, .header, .form: return
    }
    guard let boundary = boundary ?? MultipartHead.boundary(in: bytes) else { return }
    var places: [Place] = []
    rules.finder.parts(in: bytes, boundary: boundary) { places.append(Place(found: $0, range: $0.range)) }
    named = places + named
  }
}

extension DecodedView {
  /// Calls back with each run of characters of base64, padding included, that is in no view before this one.
  func eachRun(in text: ByteSearch, _ parts: [Range<Int>], _ use: (Range<Int>) -> Void) {
    for part in parts { RedactionBase64.eachRun(in: text, part) { if isNew($0) { use($0) } } }
  }
}
