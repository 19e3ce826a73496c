package import CassetteHTTP
package import CassetteSystem

/// The data that a template can use: the request, the session, the time, and random values.
package struct TemplateContext: Sendable {
  /// The request to answer.
  package var request: HTTPRequest
  /// The scheme and authority that the client used, such as `http://127.0.0.1:8080`.
  package var base: String
  /// The name of the session that sent the request.
  package var session: String
  /// The current time, in nanoseconds since 1970.
  package var now: Int
  /// The source of random values, which are the same for the same seed.
  package var random: SeededRandom
  /// Returns the path segments that a rule's template names, by their names.
  package var pathNames: @Sendable () -> [String: String] = { [:] }
  /// Returns the state of a scenario.
  package var state: @Sendable (String) -> String? = { _ in nil }
  /// Increments a counter of the session: its name, its initial value, and the increment.
  ///
  /// Returns nil if there are too many counters.
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
