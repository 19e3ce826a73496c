import CassetteHTTP
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Tells while a recording goes on which exchanges are again what they were; what is written is decided at its end.
package final class RecordingForecast: Sendable {
  private let waiting: Locked<[String: [Interaction]]>

  /// Creates a forecast.
  ///
  /// - Parameter cassette: What was recorded before.
  package init(of cassette: Cassette) {
    var waiting: [String: [Interaction]] = [:]
    for interaction in cassette.interactions.reversed() {
      waiting[Self.key(of: interaction), default: []].append(interaction)
    }
    self.waiting = Locked(waiting)
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(SecretAlias.neutral(interaction.pathAndQuery).text)"
  }

  /// Tells whether an exchange is what it was, as far as can be told by now; each that was there counts once.
  ///
  /// - Parameter redacted: The exchange with stand-ins for its secrets, whatever their numbers are.
  /// - Returns: Whether nothing is different but what differs each time.
  package func isUnchanged(_ redacted: Interaction) -> Bool {
    guard let old = next(like: redacted) else { return false }
    if RecordingComparison.isSameButURL(old, redacted) { return true }
    let before = Self.neutral(old)
    var after = Self.neutral(redacted)
    after.url = before.url
    if RecordingComparison.isSame(before, after) { return true }
    RecordingVolatility().settle(&after, like: before)
    return RecordingComparison.isSame(before, after)
  }

  /// Takes out what was recorded of the same request.
  private func next(like redacted: Interaction) -> Interaction? {
    guard waiting.withLock({ !$0.isEmpty }) else { return nil }
    let key = Self.key(of: redacted)
    return waiting.withLock { waiting in
      defer { if waiting[key]?.isEmpty == true { waiting[key] = nil } }
      return waiting[key]?.popLast()
    }
  }

  /// Returns an exchange without the numbers of its secrets, which are the cassette's or the journal's own.
  private static func neutral(_ interaction: Interaction) -> Interaction {
    var result = interaction
    result.url = SecretAlias.neutral(interaction.url).text
    result.requestHeaders = neutral(interaction.requestHeaders)
    result.requestBody = neutral(interaction.requestBody)
    if case .response(var response) = interaction.outcome {
      response.headers = neutral(response.headers)
      response.trailers = neutral(response.trailers)
      response.body = neutral(response.body)
      result.outcome = .response(response)
    }
    return result
  }

  private static func neutral(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      fields: headers.map { field in
        var field = field
        field.value = SecretAlias.neutral(field.value).text
        return field
      })
  }

  /// A body in a long file stays as it is.
  private static func neutral(_ body: Body?) -> Body? {
    guard let body, (try? body.openLongFile()) == nil, let bytes = try? body.bytes() else { return body }
    let neutral = SecretAlias.neutral(bytes)
    if neutral.numbers.isEmpty { return body }
    guard case .chunks(_, let end) = body.form else { return .storing(neutral.bytes) }
    return .chunks([BodyChunk(bytes: neutral.bytes)], end: end)
  }
}
