internal import CassetteHTTP
internal import CassetteSecrets

extension Interaction {
  /// The method and URL for display, with secrets masked.
  package var shown: String { "\(method) \(SecretNames.masked(url: url))" }

  /// The reason why the bodies cannot be searched for secrets; nil if they can.
  ///
  /// A body in a file is searched in the file.
  package var opaqueReason: String? {
    if let reason = Self.reason(requestBody, requestHeaders) { return "its request: \(reason)" }
    return Self.reason(responseBody, response?.headers ?? [])
  }

  private static func reason(_ body: Body?, _ headers: HTTPHeaders) -> String? {
    guard let body, let bytes = try? body.bytes() else { return nil }
    return OpaqueBody.reason(bytes, headers)
  }
}
