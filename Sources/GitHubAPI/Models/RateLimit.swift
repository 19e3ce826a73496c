public import APIClientKit
public import Foundation

/// The number of requests that GitHub still answers.
public struct RateLimit: Hashable, Sendable {
  /// The number of requests in a period.
  public let limit: Int
  /// The number that is left.
  public let remaining: Int
  /// The time the next period begins.
  public let reset: Date
  /// The kind of request that is counted, such as `core` or `search`.
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

/// The limits of all kinds of requests.
public struct RateLimits: Decodable, Hashable, Sendable {
  /// The limits by the resource that they count, such as `core` and `search`.
  public let resources: [String: RateLimit]

  /// Creates limits.
  public init(resources: [String: RateLimit]) { self.resources = resources }

  /// Reads the body of `/rate_limit`, whose times are seconds since 1970.
  public init(from decoder: any Decoder) throws {
    struct Body: Decodable {
      let resources: [String: Limit]
    }
    struct Limit: Decodable {
      let limit: Int
      let remaining: Int
      let reset: Double
    }
    let limits = try Body(from: decoder).resources.map { name, limit in
      let reset = Date(timeIntervalSince1970: limit.reset)
      return (name, RateLimit(limit: limit.limit, remaining: limit.remaining, reset: reset, resource: name))
    }
    resources = Dictionary(uniqueKeysWithValues: limits)
  }
}

extension Response {
  /// The number of requests that are left after this one.
  public var rateLimit: RateLimit? { RateLimit(header) }
}
