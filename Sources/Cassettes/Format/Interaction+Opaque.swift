internal import CassetteHTTP
internal import CassetteSecrets

extension Interaction {
  /// Method and URL for people, secrets masked.
  package var shown: String { "\(method) \(SecretNames.masked(url: url))" }

  /// The reason why secrets cannot be looked for in its bodies; nil where they can.
  ///
  /// A body in a file is as it was when it was recorded: it is looked into there.
  package var opaqueReason: String? {
    if let reason = Self.reason(requestBody, requestHeaders) { return "of its request, \(reason)" }
    return Self.reason(responseBody, response?.headers ?? [])
  }

  private static func reason(_ body: Body?, _ headers: HTTPHeaders) -> String? {
    guard let body, let bytes = try? body.bytes() else { return nil }
    return OpaqueBody.reason(bytes, headers)
  }
}
