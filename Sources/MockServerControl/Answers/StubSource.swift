internal import CassetteHTTP
internal import CassetteMaintenance
internal import CassetteSystem
internal import Cassettes

/// Generates a stub in Swift source for a test, from a request and its response.
enum StubSource {
  private static let named: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete]

  /// Returns the source of a stub.
  ///
  /// - Parameters:
  ///   - request: The request. Its response is ignored.
  ///   - answer: The recorded response; nil if no recording was played.
  ///   - status: The status that was sent, which the stub gets if no recording was played.
  /// - Returns: The stub as Swift source.
  /// - Throws: ``CassetteError`` if a body cannot be read.
  static func text(_ request: Interaction, _ answer: RecordedResponse?, status: Int) throws(CassetteError) -> String {
    let url = SwiftLiteral.quoted(request.url)
    let method = request.method
    let shown =
      named.contains(method)
      ? ".\(method.rawValue.lowercased())(\(url))" : ".method(\(SwiftLiteral.quoted(method.rawValue)), \(url))"
    let code = answer?.status.code ?? (status == 404 || status == 0 ? 200 : status)
    let body = try answer?.body?.bytes() ?? []
    guard !body.isEmpty else { return ".stub(\(shown), .status(\(code)))" }
    guard body.count <= AcceptedExchange.longestBody else {
      throw CassetteError(
        file: request.url, message: "a body of \(body.count) bytes is too long for a stub in source code")
    }
    let type = answer?.headers["Content-Type"].map { ", type: \(SwiftLiteral.quoted($0))" } ?? ""
    if let text = String(validUTF8: body) {
      return ".stub(\(shown), .text(\(SwiftLiteral.quoted(text))\(type), status: \(code)))"
    }
    let data = "Data(base64Encoded: \"\(BodyBase64.text(of: body))\") ?? Data()"
    return ".stub(\(shown), .data(\(data)\(type), status: \(code)))"
  }
}
