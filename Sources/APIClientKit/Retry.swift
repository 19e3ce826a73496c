import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A rule for repeating failed requests: the number of attempts, the errors to handle, and the delay.
///
/// ```swift
/// let client = APIClient(host: "api.example.com") { $0.retry = .backoff(attempts: 4) }
/// let orders = try await Retry.times(3) { try await client.send(.orders) }
/// ```
/// As the ``APIClient/Configuration/retry`` of a client, the rule does not repeat requests that are not idempotent,
/// such as `POST`, unless the server has sent `Retry-After`.
public struct Retry: Sendable {
  /// The maximum number of attempts, including the first.
  public var attempts: Int
  /// Returns the delay after a number of attempts.
  ///
  /// A `Retry-After` field can make it longer.
  public var delay: @Sendable (_ attempts: Int) -> Duration
  /// The maximum `Retry-After` to wait for.
  ///
  /// If the server requests more, the error is thrown.
  public var patience = Duration.seconds(60)
  /// Returns true for errors that may not recur.
  public var isTransient: @Sendable (any Error) -> Bool = Retry.isTransient
  /// Waits for a duration.
  ///
  /// Tests replace it with a function that returns immediately.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Creates a rule with a custom delay.
  public init(attempts: Int, delay: @escaping @Sendable (_ attempts: Int) -> Duration) {
    (self.attempts, self.delay) = (attempts, delay)
  }

  /// Creates a rule without a delay.
  public static func times(_ attempts: Int) -> Retry { Retry(attempts: attempts) { _ in .zero } }

  /// Creates a rule whose delay doubles with each attempt, and is reduced randomly by up to half.
  public static func backoff(
    attempts: Int, first: Duration = .milliseconds(250), limit: Duration = .seconds(10)
  ) -> Retry {
    Retry(attempts: attempts) { attempts in
      // The exponent is limited to prevent an overflow.
      let delay = min(first * (1 << min(max(attempts - 1, 0), 20)), limit)
      return delay * Double.random(in: 0.5...1)
    }
  }

  /// Calls a function, and repeats it according to this rule.
  public func callAsFunction<Value>(_ ask: () async throws -> Value) async throws -> Value {
    var attempt = 1
    while true {
      do { return try await ask() } catch {
        guard try await waits(after: error, of: nil, attempts: attempt) else { throw error }
        attempt += 1
      }
    }
  }

  /// Calls a function up to a number of times without a delay.
  public static func times<Value>(_ attempts: Int, _ ask: () async throws -> Value) async throws -> Value {
    try await Retry.times(attempts)(ask)
  }

  /// Returns true for connection errors and for statuses that indicate a temporary failure.
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

  /// Waits according to the rule; returns false if the request must not be repeated.
  func waits(after error: any Error, of method: HTTPMethod?, attempts: Int) async throws -> Bool {
    guard attempts < self.attempts, isTransient(error) else { return false }
    let asked = (error as? APIError).flatMap { $0.header("Retry-After") }.flatMap(Self.duration)
    guard method?.isIdempotent != false || asked != nil, asked ?? .zero <= patience else { return false }
    try await sleep(max(asked ?? .zero, delay(attempts)))
    return true
  }

  /// Parses `Retry-After`: seconds or a date (RFC 9110 §10.2.3).
  static func duration(_ field: String) -> Duration? {
    if let seconds = Int(field) { return seconds < 0 ? nil : .seconds(min(seconds, 1 << 31)) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: field).map { .seconds(max(0, $0.timeIntervalSinceNow)) }
  }
}
