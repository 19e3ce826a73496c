import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A rule for trying again: how often, after which errors, and after how long.
///
/// ```swift
/// let client = APIClient(host: "api.example.com") { $0.retry = .backoff(attempts: 4) }
/// let orders = try await Retry.times(3) { try await client.send(.orders) }
/// ```
/// As a client's ``APIClient/Configuration/retry`` it leaves alone what is not sent twice without harm, such as `POST`,
/// unless the server has asked to come again.
public struct Retry: Sendable {
  /// The greatest number of attempts, the first one included.
  public var attempts: Int
  /// Returns the wait after so many attempts; the server's `Retry-After` makes it longer.
  public var delay: @Sendable (_ attempts: Int) -> Duration
  /// The longest `Retry-After` that is waited for; beyond it the error is thrown.
  public var patience = Duration.seconds(60)
  /// Tells which errors may be gone the next time.
  public var isTransient: @Sendable (any Error) -> Bool = Retry.isTransient
  /// Waits; a test has it return at once.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Creates a rule with a delay of its own.
  public init(attempts: Int, delay: @escaping @Sendable (_ attempts: Int) -> Duration) {
    (self.attempts, self.delay) = (attempts, delay)
  }

  /// Creates a rule that tries again at once.
  public static func times(_ attempts: Int) -> Retry { Retry(attempts: attempts) { _ in .zero } }

  /// Creates a rule that waits twice as long each time, and up to half of that less, by chance.
  public static func backoff(
    attempts: Int, first: Duration = .milliseconds(250), limit: Duration = .seconds(10)
  ) -> Retry {
    Retry(attempts: attempts) { attempts in
      // Bounded, so that no number of attempts overflows.
      let delay = min(first * (1 << min(max(attempts - 1, 0), 20)), limit)
      return delay * Double.random(in: 0.5...1)
    }
  }

  /// Tries at once, and tries again by this rule.
  public func callAsFunction<Value>(_ ask: () async throws -> Value) async throws -> Value {
    var attempt = 1
    while true {
      do { return try await ask() } catch {
        guard try await waits(after: error, of: nil, attempts: attempt) else { throw error }
        attempt += 1
      }
    }
  }

  /// Tries at once, and up to so many times in all.
  public static func times<Value>(_ attempts: Int, _ ask: () async throws -> Value) async throws -> Value {
    try await Retry.times(attempts)(ask)
  }

  /// Tells whether an error is one of the connection, or a status that says "not now".
  public static func isTransient(_ error: any Error) -> Bool {
    switch error {
    case let error as APIError: [408, 425, 429, 500, 502, 503, 504].contains(error.status)
    case let error as URLError:
      [
        .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
      ].contains(error.code)
    default: false
    }
  }

  /// Waits as long as the rule says; false when there is nothing to wait for.
  func waits(after error: any Error, of method: HTTPMethod?, attempts: Int) async throws -> Bool {
    guard attempts < self.attempts, isTransient(error) else { return false }
    let asked = (error as? APIError).flatMap { $0.header("Retry-After") }.flatMap(Self.duration)
    guard method?.isIdempotent != false || asked != nil, asked ?? .zero <= patience else { return false }
    try await sleep(max(asked ?? .zero, delay(attempts)))
    return true
  }

  /// RFC 9110 §10.2.3: seconds, or a date.
  static func duration(_ field: String) -> Duration? {
    if let seconds = Int(field) { return seconds < 0 ? nil : .seconds(min(seconds, 1 << 31)) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: field).map { .seconds(max(0, $0.timeIntervalSinceNow)) }
  }
}
