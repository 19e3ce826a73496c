internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching

/// Represents the parts of a multipart body as a value.
enum MultipartText {
  /// Returns the parts by name, as JSON with their `name`, `filename`, `headers` and `body`; nil if there are no parts.
  static func json(of request: HTTPRequest) -> [UInt8]? {
    guard let type = request.headers.mediaType, type.type == "multipart" else { return nil }
    let parts = MultipartBody.parts(of: request.body, type: type)
    guard !parts.isEmpty else { return nil }
    var json = JSONWriter()
    json.object { json in
      for (number, part) in parts.enumerated() {
        json.object(part.name ?? String(number)) { item in
          item.member("name", part.name)
          item.member("filename", part.filename)
          // Field names are case-insensitive.
          item.object("headers") { fields in
            for field in part.headers { fields.member(field.name.lowercased(), field.value) }
          }
          item.member("body", String(decoding: part.content, as: UTF8.self))
        }
      }
    }
    return json.bytes
  }
}
