internal import HTTP
internal import JSONText

/// Whether two bodies say the same: JSON as values, forms as fields, multipart without its boundary, else bytes.
enum BodyComparison {
  /// 2 when the bodies are equal, 1 when the recording does not care, 0 when they differ.
  static func rank(_ request: HTTPRequest, _ interaction: Interaction) -> Int {
    guard let recorded = recordedBytes(interaction) else { return request.body.isEmpty ? 2 : 1 }
    return equal(request, recorded, interaction) ? 2 : 0
  }

  /// What differs; nothing when the recording does not care.
  static func mismatches(_ request: HTTPRequest, _ interaction: Interaction) -> [Mismatch] {
    guard let recorded = recordedBytes(interaction), !equal(request, recorded, interaction) else { return [] }
    if request.body.isEmpty { return [Mismatch(part: "body", sent: nil, recorded: "\(recorded.count) bytes")] }
    let differences = jsonDifferences(request.body, recorded)
    guard let differences else {
      return [Mismatch(part: "body", sent: "\(request.body.count) bytes", recorded: "\(recorded.count) other bytes")]
    }
    return differences.prefix(8).map { mismatch($0) }
  }

  /// A difference in words, secrets masked.
  static func mismatch(_ difference: JSONDifference) -> Mismatch {
    let hides = difference.path.split { $0 == "." || $0 == "[" }.contains { SecretNames.isParameter($0) }
    func shown(_ value: String) -> String {
      hides ? "\"\(SecretNames.mask)\"" : SecretNames.masked(body: value, contentType: nil)
    }
    return Mismatch(
      part: "body.\(difference.path)", sent: difference.sent.map(shown), recorded: difference.recorded.map(shown))
  }

  /// Whether values differ only in that one of them is a secret that was taken out.
  static func isSecret(_ difference: JSONDifference) -> Bool {
    guard let recorded = difference.recorded, let sent = difference.sent else { return false }
    if Matcher.matches(sent, placeholderIn: recorded) { return true }
    // A long value is shown cut: what follows the secret cannot be told any more.
    return sent.hasSuffix("…") && Matcher.matches(sent.dropLast() + "\"", placeholderIn: recorded)
  }

  private static func recordedBytes(_ interaction: Interaction) -> [UInt8]? {
    // A body that cannot be read any more is reported by whoever plays it; here it decides nothing.
    guard let body = interaction.requestBody, let bytes = try? body.bytes(), !bytes.isEmpty else { return nil }
    return bytes
  }

  private static func equal(_ request: HTTPRequest, _ recorded: [UInt8], _ interaction: Interaction) -> Bool {
    let sent = request.body
    if sent == recorded { return true }
    if sent.isEmpty { return false }
    let sentType = request.headers["Content-Type"].flatMap { MediaType($0) }
    let recordedType = interaction.requestHeaders["Content-Type"].flatMap { MediaType($0) } ?? sentType
    if let sentType, let recordedType, sentType.type == "multipart", recordedType.type == "multipart" {
      return withoutBoundary(sent, sentType) == withoutBoundary(recorded, recordedType)
    }
    if sentType?.subtype == "x-www-form-urlencoded" {
      return ParameterComparison.equal(String(decoding: sent, as: UTF8.self), String(decoding: recorded, as: UTF8.self))
    }
    return jsonDifferences(sent, recorded)?.isEmpty ?? false
  }

  /// The differences of two JSON texts, secrets aside; nil when one of them is not JSON.
  private static func jsonDifferences(_ sent: [UInt8], _ recorded: [UInt8]) -> [JSONDifference]? {
    guard looksLikeJSON(sent), looksLikeJSON(recorded), isJSON(sent), isJSON(recorded) else { return nil }
    return JSONDifference.between(sent, recorded).filter { !isSecret($0) }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    do throws(JSONTextError) { try JSONScanner.validate(bytes.span) } catch { return false }
    return true
  }

  private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    switch bytes.first(where: { $0 != 32 && !(9...13).contains($0) }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "-"):
      true
    case let byte?: (48...57).contains(byte)
    case nil: false
    }
  }

  /// The lines of a multipart body, without those that hold its boundary, which clients make up anew each time.
  private static func withoutBoundary(_ bytes: [UInt8], _ type: MediaType) -> [ArraySlice<UInt8>] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let boundary = type.parameters.first(where: { $0.name.lowercased() == "boundary" })?.value else {
      return lines
    }
    let delimiter = Array("--\(boundary)".utf8)
    return lines.map { $0.starts(with: delimiter) ? [] : $0 }
  }
}
