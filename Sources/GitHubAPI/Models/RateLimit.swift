public import APIClientKit
public import Foundation

/// The number of requests that GitHub still answers.
public struct RateLimit: Hashable, Sendable {
  /// The number of requests in a period.
  public let limit: Int
  /// The number that is left.
  public let remaining: Int
  /// When the next period begins.
  public let reset: Date
  /// What is counted, such as `core` or `search`.
  public let resource: String?

  /// Creates a limit.
  public init(limit: Int, remaining: Int, reset: Date, resource: String? = nil) {
    (self.limit, self.remaining, self.reset, self.resource) = (limit, remaining, reset, resource)
  }

  /// Reads the fields of a response; nil when it has none of the kind.
  public init?(_ header: (String) -> String?) {
    guard let limit = header("X-RateLimit-Limit").flatMap({ Int($0) }),
      let remaining = header("X-RateLimit-Remaining").flatMap({ Int($0) }),
      let reset = header("X-RateLimit-Reset").flatMap({ Double($0) })
    else { return nil }
    (self.limit, self.remaining, self.reset) = (limit, remaining, Date(timeIntervalSince1970: reset))
    resource = header("X-RateLimit-Resource")
  }
}

extension Response {
  /// The number of requests that are left after this one.
  public var rateLimit: RateLimit? { RateLimit(header) }
}
