package import CassetteHTTP
package import CassetteSystem

/// The data that a template may ask for: the request, the player's session, the time, chance.
package struct TemplateContext: Sendable {
  /// The request that is answered.
  package var request: HTTPRequest
  /// Scheme and authority that the client used, as `http://127.0.0.1:8080`.
  package var base: String
  /// The name of the session that asks.
  package var session: String
  /// The present time, in nanoseconds since 1970.
  package var now: Int
  /// The source of random values: the same for the same seed.
  package var random: SeededRandom
  /// The parts of the path that a rule gives names to.
  package var pathNames: @Sendable () -> [String: String] = { [:] }
  /// The parts of a multipart body by their names, as a JSON object; nil where the body has none.
  package var parts: @Sendable () -> [UInt8]? = { nil }
  /// The state of a scenario.
  package var state: @Sendable (String) -> String? = { _ in nil }
  /// Moves a counter of the session on: its name, where it starts, by how much; nil when there are too many.
  package var count: @Sendable (String, Int, Int) -> Int? = { _, start, _ in start }

  /// Creates a context.
  package init(request: HTTPRequest, base: String, session: String = "", now: Int, random: SeededRandom) {
    self.request = request
    self.base = base
    self.session = session
    self.now = now
    self.random = random
  }
}
